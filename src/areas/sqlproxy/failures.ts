import { at } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { NotApplied } from '../../tools/proxysql/index.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

/** Every reason why ProxySQL gives no answer. */
export const unanswered = at(500, NotAnswering, ReplyTooLarge, SqlRefused)

/** Every reason why a change is not in effect; memory, the running ProxySQL and the disk are then as before. */
export const notChanged = at(500, NotApplied, NotAnswering, ReplyTooLarge, SqlRefused)
