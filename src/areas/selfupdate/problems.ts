import { problem } from '../../core/problem.ts'

export const UpdateFailed = problem('update_failed', 500, 'The panel could not be updated')
