import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { messageOf } from '../disk-failures.ts'
import { isUnanswered } from '../postgresql/failures.ts'
import { connect, hasLock } from '../postgresql/session.ts'
import { postgresSide } from '../postgresql/side.ts'
import { type Copied, copyRows } from './copy-rows.ts'
import { quoted, shapesOf, sqliteSide } from './side.ts'

/** The session of the panel's connection, which has the lock of the database. */
export async function lockedBy(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return Number(rows[0]?.pid)
}

/** The connection was lost at the commit: the database may have the new rows already. */
export class CopyUnanswered extends Error {
  constructor(cause: unknown) {
    super(`the answer to the commit was lost: ${messageOf(cause)}`, { cause })
    this.name = 'CopyUnanswered'
  }
}

/**
 * Replaces the rows of a database on a server, whose schema is up to date and whose lock a session has, by those of a file with the
 * same schema. If the session has ended by the commit, another panel may use the database: then nothing is replaced.
 */
export async function loadIntoPostgres(
  database: DatabaseSync,
  url: string,
  lockPid: number,
): Promise<Copied> {
  const client = await connect(url)
  try {
    await client.query('begin')
    const copied = await copyRows(sqliteSide(database), postgresSide(client), shapesOf(database))
    if (!(await hasLock(client, lockPid)))
      throw new Error('the connection that has the lock of the database was lost')
    await client.query('commit').catch((error: unknown) => {
      throw isUnanswered(error) ? new CopyUnanswered(error) : error
    })
    return copied
  } finally {
    await client.end()
  }
}

/** Throws what `loadIntoPostgres` would meet. The rows go to temporary tables, which nobody else sees. */
export async function tryLoading(database: DatabaseSync, url: string): Promise<void> {
  const client = await connect(url)
  const tables = shapesOf(database)
  try {
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
    const schema = quoted(rows[0]?.schema ?? 'public')
    await client.query('begin')
    for (const { name } of tables)
      await client.query(
        `create temporary table ${quoted(name)} (like ${schema}.${quoted(name)} including all) on commit drop`,
      )
    await copyRows(sqliteSide(database), postgresSide(client), tables)
    await client.query('rollback')
  } finally {
    await client.end()
  }
}
