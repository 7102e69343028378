import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { Kysely } from 'kysely'
import type { Migration } from '../../core/area.ts'
import { copyName } from '../copy.ts'
import { migrate } from '../migrate.ts'
import { connect } from '../postgresql/session.ts'
import { postgresSide } from '../postgresql/side.ts'
import { removeStoreFile } from '../restored.ts'
import { openSqlite, sqliteDialect } from '../sqlite.ts'
import type { Tables } from '../tables.ts'
import { putWhole, removePartial } from '../whole-file.ts'
import { type Copied, copyRows } from './copy-rows.ts'
import { shapesOf, sqliteSide } from './side.ts'

interface CopyingToSqlite {
  /** The database on a server. */
  readonly url: string
  /** The file of SQLite, which must not exist, or be empty. */
  readonly path: string
  /** All of the store; those that the database does not have are left out. */
  readonly migrations: readonly Migration[]
}

/** Writes a copy of a database on a PostgreSQL server, as it is at one moment, to a file of SQLite. The panel may use it meanwhile. */
export async function copyToSqlite({ path, ...from }: CopyingToSqlite): Promise<Copied> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error(`${path} exists: move it away first`)
  const partial = `${path}.copy`
  removePartial(partial)
  try {
    const copied = await fillFile({ path: partial, ...from })
    removeStoreFile(path) // the journal of a former file must not be applied to the new one
    putWhole(path, (temporary) => renameSync(partial, temporary))
    return copied
  } finally {
    removePartial(partial)
  }
}

async function fillFile({ url, path, migrations }: CopyingToSqlite): Promise<Copied> {
  const client = await connect(url)
  const database = openSqlite(path)
  try {
    chmodSync(path, 0o600)
    database.exec('PRAGMA journal_mode = DELETE') // one file, without a journal beside it
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const applied = new Set(rows.map(({ name }) => name))
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    const known = migrations.filter(({ name }) => applied.has(name))
    await migrate(db, known, new Date(), () => {})
    database.exec('begin')
    const copied = await copyRows(postgresSide(client), sqliteSide(database), shapesOf(database))
    database.exec('commit')
    // what a newer panel added is not in the copy, which has to be migrated again there
    const left = database.prepare('delete from schema_migrations where name = ?')
    for (const name of applied) if (!known.some((migration) => migration.name === name)) left.run(name)
    return copied
  } finally {
    database.close()
    await client.end()
  }
}

/** Keeps one copy of the store in the data directory, as the copy before a migration is on SQLite. */
export async function keepCopyOf({
  dataDir,
  now,
  ...from
}: Omit<CopyingToSqlite, 'path'> & { readonly dataDir: string; readonly now: Date }): Promise<void> {
  const name = `before-migration-${now.toISOString().replaceAll(/\D/g, '')}.db`
  removePartial(`${dataDir}/${name}`)
  await copyToSqlite({ ...from, path: `${dataDir}/${name}` })
  for (const earlier of readdirSync(dataDir).filter((each) => copyName.test(each) && each !== name))
    rmSync(`${dataDir}/${earlier}`)
}
