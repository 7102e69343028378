import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** True for a database on a PostgreSQL server, false for SQLite. Of the two only the former has transactions around its schema, says Kysely. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter.supportsTransactionalDdl === true
