import { problem } from '../../core/problem.ts'
import { connectProblems } from '../../host/connect/index.ts'

/** The kind of all database servers: what removes databases with their website or owner does not know on which one they are. */
export const CommandRefused = connectProblems.SqlRefused
export const DumpFailed = problem('backup_error', 500, 'The backup was not written')
export const RestoreFailed = problem('restore_error', 500, 'The backup was not restored')
export const AccountExists = problem('conflict', 409, 'The server has an account of this name')
export const NotServing = problem('docdb_failed', 500, 'The document database server does not answer')
