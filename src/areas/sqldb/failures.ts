import { at } from '../../core/endpoint.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

/** Every reason why the server gives no answer to a statement. */
export const unanswered = [NotAnswering, SqlRefused, ReplyTooLarge] as const

/** Every reason why new options do not come into effect; the former ones are then restored. */
export const notLoaded = {
  config_failed: [...notTaken, ServiceFailed],
  sql_error: at(500, ...unanswered),
  insufficient_storage: DiskFull,
}
