import { problem } from '../../core/problem.ts'

export const JobOver = problem('bad_request', 400, 'The job is over')
