import { problem } from '../../core/problem.ts'

export const KillFailed = problem('kill_failed', 500, 'The connection could not be ended')
