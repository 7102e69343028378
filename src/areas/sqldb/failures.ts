import { connectProblems } from '../../host/connect/index.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

/** Every reason why the server gives no answer to a statement. */
export const unanswered = [NotAnswering, SqlRefused, ReplyTooLarge] as const
