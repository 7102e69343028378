import { sql } from 'kysely'
import { type Backend, bindStore, type Store } from '../bind.ts'
import { copyToSqlite, keepCopyOf } from '../copying/to-sqlite.ts'
import type { Db } from '../database.ts'
import { nameFullDisk } from '../disk-failures.ts'
import { assertSealedUnder, sealConstant } from '../key-check.ts'
import { migrate } from '../migrate.ts'
import { forgetRestored, hasRestored } from '../restored.ts'
import { openKeyFile, type Seal, sealWith } from '../secrets.ts'
import { openSequences } from '../sequences.ts'
import { allMigrations, claimDirectory, type DirectoryOptions, tryOpeningWith } from '../in-directory.ts'
import { noteMigrations, toleratedMigrations } from '../tolerated.ts'
import { openTrustedClock } from '../trusted-clock.ts'
import { takeRestoredRows } from '../copying/restored-rows.ts'
import { forPostgres } from './migrations.ts'
import { openPostgres, type Postgres } from './open.ts'

/** Options of a store on a server. The data directory has the key file and the copies, and none of it in tests. */
interface ServerStoreOptions extends DirectoryOptions {
  readonly databaseUrl: string
}

/** Opens the store in a database of a PostgreSQL server. */
export async function openOnServer(options: ServerStoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, migrations } = options
  let postgres: Postgres | undefined
  let lock: ReturnType<typeof claimDirectory> | undefined
  try {
    lock = dataDir ? claimDirectory(dataDir) : undefined
    postgres = await openPostgres(databaseUrl)
    const { db, lastWrittenMs } = postgres
    const seal = await openSeal(db, dataDir)
    const trustedNow = openTrustedClock({ lastWrittenMs })
    await bringUpToDate(db, options)
    if (dataDir && hasRestored(dataDir)) await takeRestoredRows({ dataDir, databaseUrl, migrations })
    await sealConstant(db, seal)
    await postgres.readSchema()
    const release = () => lock?.release()
    const backend = backendOf(postgres, options, release)
    const bound = bindStore(backend, seal, await openSequences(db))
    if (dataDir) forgetRestored(dataDir)
    return { ...bound, trustedNow, tryOpening: tryOpeningWith(migrations) }
  } catch (error) {
    await postgres?.db.destroy()
    lock?.release()
    throw dataDir ? nameFullDisk(error, dataDir) : error
  }
}

/** The key file is in the data directory. A restore replaces it together with all rows. */
async function openSeal(db: Db, dataDir: string | undefined): Promise<Seal> {
  if (dataDir === undefined) return sealWith(Buffer.alloc(32, 7))
  const path = `${dataDir}/secret.key`
  const tables = await db.introspection.getTables()
  const isUnused = !tables.some(({ name }) => name === 'key_check')
  const seal = openKeyFile(path, { mayCreate: isUnused && !hasRestored(dataDir) })
  if (!hasRestored(dataDir)) await assertSealedUnder(db, seal, path)
  return seal
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
