import type { DatabaseSync } from 'node:sqlite'
import { connect } from '../postgresql/session.ts'
import { postgresSide } from '../postgresql/side.ts'
import { type Copied, copyRows } from './copy-rows.ts'
import { shapesOf, sqliteSide } from './side.ts'

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
