import { problem } from '../../core/problem.ts'

export const NotAnswering = problem('program_unreachable', 503, 'The program does not answer')
export const SqlRefused = problem('sql_failed', 500, 'The database server refused a statement')
export const ReplyTooLarge = problem('program_failed', 500, 'The program sent more than the panel reads')
