import type { DatabaseSync } from 'node:sqlite'
import { connect } from '../postgresql/session.ts'
import { postgresSide } from '../postgresql/side.ts'
import { type Copied, copyRows } from './copy-rows.ts'
import { quoted, shapesOf, sqliteSide } from './side.ts'

/** Replaces the rows of a database on a server, whose schema is up to date and whose lock is held, by those of a file with the same schema. */
export async function loadIntoPostgres(database: DatabaseSync, url: string): Promise<Copied> {
  const client = await connect(url)
  try {
    await client.query('begin')
    const copied = await copyRows(sqliteSide(database), postgresSide(client), shapesOf(database))
    await client.query('commit')
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
