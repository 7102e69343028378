import { sql } from 'kysely'
import { type Backend, bindStore, type Store } from '../bind.ts'
import { copyToSqlite, keepCopyOf } from '../copying/to-sqlite.ts'
import type { Db } from '../database.ts'
import { nameFullDisk } from '../disk-failures.ts'
import { assertSealedUnder, sealConstant } from '../key-check.ts'
import { assertKnown, migrate } from '../migrate.ts'
import { forgetRestored, hasRestored } from '../restored.ts'
import { hasKeyFile, openKeyFile, type Seal, sealWith } from '../secrets.ts'
import { openSequences } from '../sequences.ts'
import {
  allMigrations,
  claimDirectory,
  type DirectoryOptions,
  namesOf,
  tryOpeningWith,
} from '../in-directory.ts'
import { noteMigrations, toleratedMigrations } from '../tolerated.ts'
import { openTrustedClock } from '../trusted-clock.ts'
import { lockedBy } from '../copying/to-postgres.ts'
import { takeRestoredRows, tryRestoredRows } from '../copying/restored-rows.ts'
import { forPostgres } from './migrations.ts'
import type { LinkOptions } from './link-options.ts'
import { openPostgres, type Postgres } from './open.ts'

/** Options of a store on a server. The data directory has the key file and the copies, and none of it in tests. */
interface ServerStoreOptions extends DirectoryOptions {
  readonly databaseUrl: string
  readonly link?: Partial<LinkOptions>
}

/** Opens the store in a database of a PostgreSQL server. */
export async function openOnServer(options: ServerStoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, migrations, link } = options
  let postgres: Postgres | undefined
  let lock: ReturnType<typeof claimDirectory> | undefined
  try {
    lock = dataDir ? claimDirectory(dataDir) : undefined
    postgres = await openPostgres(databaseUrl, link)
    const { db, lastWrittenMs } = postgres
    const openSeal = await sealOf(db, dataDir)
    const trustedNow = openTrustedClock({ lastWrittenMs })
    await bringUpToDate(db, options)
    if (dataDir && hasRestored(dataDir))
      await takeRestoredRows({ dataDir, databaseUrl, migrations, lockPid: await lockedBy(db) })
    const seal = openSeal()
    await sealConstant(db, seal)
    await postgres.readSchema()
    const release = () => lock?.release()
    const backend = backendOf(postgres, options, release)
    const bound = bindStore(backend, seal, await openSequences(db))
    if (dataDir) forgetRestored(dataDir)
    return { ...bound, trustedNow, tryOpening: tryOpeningOn(db, options), migrations: namesOf(migrations) }
  } catch (error) {
    await postgres?.db.destroy()
    lock?.release()
    throw dataDir ? nameFullDisk(error, dataDir) : error
  }
}

/** The database is new, but the data directory is that of a panel which has a store. */
class DatabaseEmpty extends Error {
  constructor(keyFile: string) {
    super(
      `The database of HOSTREEVE_DATABASE_URL is empty, but ${keyFile} is the key of a store: correct the address, or copy the store with "hostreeve store copy". To begin anew, move the key away`,
    )
    this.name = 'DatabaseEmpty'
  }
}

/**
 * Checks the key file, which is in the data directory, before anything is changed. A new database gets a new key once its schema
 * is there. A restore replaces the key together with all rows.
 */
async function sealOf(db: Db, dataDir: string | undefined): Promise<() => Seal> {
  if (dataDir === undefined) return () => sealWith(Buffer.alloc(32, 7))
  const path = `${dataDir}/secret.key`
  const isNew = !(await hasRows(db))
  if (isNew && !hasRestored(dataDir)) {
    const open = () => openKeyFile(path, { mayCreate: true })
    if (!hasKeyFile(path)) return open
    open() // names a damaged one
    throw new DatabaseEmpty(path)
  }
  const seal = openKeyFile(path, { mayCreate: false })
  if (!hasRestored(dataDir)) await assertSealedUnder(db, seal, path)
  return () => seal
}

/** True if a panel has worked with the database. */
async function hasRows(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'key_check')) return false
  return (await db.selectFrom('key_check').select('slot').executeTakeFirst()) !== undefined
}

/** A restored file is opened in SQLite, and loaded into temporary tables. */
const tryOpeningOn =
  (db: Db, { databaseUrl, migrations }: ServerStoreOptions): Store['tryOpening'] =>
  async (folder) => {
    await tryOpeningWith(migrations)(folder)
    await assertKnown(db, allMigrations(migrations)) // rows of a newer panel could not be replaced
    await tryRestoredRows({ dataDir: folder, databaseUrl })
  }

async function bringUpToDate(db: Db, { dataDir, databaseUrl, migrations, now }: ServerStoreOptions) {
  const all = allMigrations(migrations)
  const copyFirst = () =>
    dataDir ? keepCopyOf({ url: databaseUrl, dataDir, now, migrations: all }) : undefined
  const tolerated = dataDir ? toleratedMigrations(dataDir) : undefined
  if (dataDir) noteMigrations(dataDir, [...all.map(({ name }) => name), ...(tolerated ?? [])])
  await migrate(db, all, now, copyFirst, tolerated, forPostgres)
}

const backendOf = (
  { db, repeating }: Postgres,
  { databaseUrl, migrations }: ServerStoreOptions,
  release: () => void,
): Backend => ({
  db,
  alone: (work) => work, // the connection checks it
  repeating,
  isRemote: true,
  assertWritable: async () => void (await sql`update panel_commits set at = at`.execute(db)),
  copyTo: async (path) =>
    void (await copyToSqlite({ url: databaseUrl, path, migrations: allMigrations(migrations) })),
  release,
})
