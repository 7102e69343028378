import { sql } from 'kysely'
import { resolve } from 'node:path'
import type { Db } from '../database.ts'
import { assertKnown, migrate } from '../migrate.ts'
import { allMigrations } from '../in-directory.ts'
import { forPostgres } from '../postgresql/migrations.ts'
import { openPostgres } from '../postgresql/open.ts'
import { openSqlite } from '../sqlite.ts'
import { openStore, type StoreOptions } from '../store.ts'
import { forgetServer, isOnServer, StoreElsewhere } from '../tolerated.ts'
import type { Copied } from './copy-rows.ts'
import { loadIntoPostgres, lockedBy } from './to-postgres.ts'
import { copyToSqlite } from './to-sqlite.ts'

/** Where a copy goes: a file of SQLite, or a database on a PostgreSQL server. */
export type Destination = { readonly file: string } | { readonly url: string }

interface Source extends StoreOptions {
  readonly dataDir: string
}

/**
 * Copies the store of a panel that is not running to the other database, and compares every value. The destination must be new.
 * Its secrets stay sealed with the key file of the data directory.
 */
export async function copyStore(from: Source, to: Destination): Promise<Copied> {
  if (from.databaseUrl === undefined && isOnServer(from.dataDir)) throw new StoreElsewhere(from.dataDir)
  if ('file' in to && from.databaseUrl === undefined)
    throw new Error('The store is in SQLite already: copy its file with a backup')
  if ('url' in to && from.databaseUrl !== undefined)
    throw new Error('The store is on a server already: copy it with pg_dump, or to SQLite and from there')
  const store = await openStore(from) // keeps panels away, and brings the schema up to date
  try {
    await assertKnown(store.db, allMigrations(from.migrations)) // nothing would tell how to copy what a newer panel added
    return 'file' in to ? await copyToFile(from, to.file) : await copyToServer(from, to.url)
  } finally {
    await store.close()
  }
}

/** The data directory has the store again once its own file is written. */
async function copyToFile({ databaseUrl = '', dataDir, migrations }: Source, file: string): Promise<Copied> {
  const copied = await copyToSqlite({ url: databaseUrl, path: file, migrations: allMigrations(migrations) })
  if (resolve(file) === resolve(dataDir, 'hostreeve.db')) forgetServer(dataDir)
  return copied
}

/** A wrong address is told after this time. */
const addressMs = 10_000

async function copyToServer({ dataDir, migrations, now }: Source, url: string): Promise<Copied> {
  const { db } = await openPostgres(url, { startMs: addressMs, onWaiting: () => {} })
  try {
    await assertNew(db)
    await migrate(db, allMigrations(migrations), now, () => {}, undefined, forPostgres)
    const database = openSqlite(`${dataDir}/hostreeve.db`)
    try {
      return await loadIntoPostgres(database, url, await lockedBy(db))
    } finally {
      database.close()
    }
  } finally {
    await db.destroy()
  }
}

/** A copy that failed leaves tables without rows, which the next one takes. */
async function assertNew(db: Db): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  const tables = (await db.introspection.getTables())
    .filter(({ isView, schema }) => !isView && schema === rows[0]?.schema) // extensions have views, and schemas of their own
    .map(({ name }) => name)
    .filter((name) => name !== 'panel_commits')
  if (tables.length === 0) return
  const isOurs = tables.includes('key_check') && tables.includes('schema_migrations')
  if (!isOurs) throw new Error('The database contains other tables: create one for the panel alone')
  const used = await db.selectFrom('key_check').select('slot').executeTakeFirst()
  if (used !== undefined) throw new Error('The database contains the store of a panel: create an empty one')
}
