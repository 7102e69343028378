import { Kysely, sql } from 'kysely'
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import type { Migration } from '../core/area.ts'
import { type Backend, bindStore, type Store } from './bind.ts'
import { keepCopy } from './copy.ts'
import { lockDataDirectory } from './data-lock.ts'
import type { Db } from './database.ts'
import { nameFullDisk } from './disk-failures.ts'
import { nameUnusable } from './unusable.ts'
import { assertSealedUnder, keyCheckMigration, sealConstant } from './key-check.ts'
import { migrate } from './migrate.ts'
import { forgetRestored } from './restored.ts'
import { openKeyFile, sealWith } from './secrets.ts'
import { openSequences, sequenceMigration } from './sequences.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { isOnServer, StoreElsewhere, toleratedMigrations } from './tolerated.ts'
import { openTrustedClock } from './trusted-clock.ts'

export interface DirectoryOptions {
  /** The directory of the database, the key file and the copies; in memory when absent. */
  readonly dataDir?: string
  readonly migrations: readonly Migration[]
  readonly now: Date
}

/** The migrations of the store's own tables, and those of the panel. */
export const allMigrations = (migrations: readonly Migration[]): readonly Migration[] => [
  sequenceMigration,
  keyCheckMigration,
  ...migrations,
]

/** The names of all of them. */
export const namesOf = (migrations: readonly Migration[]): readonly string[] =>
  allMigrations(migrations).map(({ name }) => name)

/** Creates the data directory if it is missing, and locks it. */
export function claimDirectory(dataDir: string): ReturnType<typeof lockDataDirectory> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return lockDataDirectory(dataDir)
}

/** Opens the store in SQLite: makes a copy, migrates, and rejects a newer schema. */
export async function openInDirectory({ dataDir, migrations, now }: DirectoryOptions): Promise<Store> {
  const file = dataDir ? `${dataDir}/hostreeve.db` : ':memory:'
  const keyFile = `${dataDir}/secret.key`
  let db: Db | undefined
  let lock: ReturnType<typeof lockDataDirectory> | undefined
  try {
    lock = dataDir ? claimDirectory(dataDir) : undefined
    if (dataDir && isOnServer(dataDir)) throw new StoreElsewhere(dataDir)
    const seal = dataDir ? openKeyFile(keyFile, { mayCreate: isUnused(file) }) : sealWith(Buffer.alloc(32, 7))
    const trustedNow = openTrustedClock(dataDir ? { lastWrittenMs: lastWrittenMs(file) } : {})
    if (dataDir) keepPrivate(file)
    const database = openSqlite(file)
    db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    if (dataDir) await assertSealedUnder(db, seal, keyFile)
    await migrate(
      db,
      allMigrations(migrations),
      now,
      dataDir ? () => keepCopy(database, dataDir, now) : () => {},
      dataDir ? toleratedMigrations(dataDir) : undefined,
    )
    await sealConstant(db, seal)
    if (dataDir) forgetRestored(dataDir)
    const release = () => lock?.release()
    const bound = bindStore(sqliteBackend(db, release), seal, await openSequences(db))
    return { ...bound, trustedNow, tryOpening: tryOpeningWith(migrations), migrations: namesOf(migrations) }
  } catch (error) {
    await db?.destroy()
    lock?.release()
    throw dataDir ? nameUnusable(nameFullDisk(error, dataDir), file) : error
  }
}

/** Opens a store in another folder, as one that a backup contains, which is a file of SQLite on both databases. */
export const tryOpeningWith =
  (migrations: readonly Migration[]): Store['tryOpening'] =>
  async (folder) => {
    const other = await openInDirectory({ dataDir: folder, migrations, now: new Date() })
    await assertSound(other.db).finally(() => other.close())
  }

async function assertSound(db: Db): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db)
  const found = rows[0]?.quick_check ?? 'no answer'
  if (found !== 'ok') throw new Error(`The database is damaged: ${found.slice(0, 200)}`)
}

/** Nothing was ever stored here; a first start on a full disk leaves an empty file. */
const isUnused = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0

/** When a database was last written, by the times of its files; undefined if nothing was stored yet. */
function lastWrittenMs(file: string): number | undefined {
  const found = [file, `${file}-wal`].flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? [])
  return found.some(({ size }) => size > 0) ? Math.max(...found.map(({ mtimeMs }) => mtimeMs)) : undefined
}

/** SQLite gives its own files the mode of the database. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

const sqliteBackend = (db: Db, release: () => void): Backend => ({
  db,
  alone,
  repeating: (work) => work(),
  isRemote: false,
  // SQLite writes the page of this number, which the panel does not use, also if it stays the same
  assertWritable: async () => void (await sql`pragma user_version = 0`.execute(db)),
  copyTo: async (path) => void (await sql`vacuum into ${path}`.execute(db)),
  release,
})

/**
 * Refuses a transaction that outlives the current turn of the event loop. The store answers within the turn (node:sqlite is
 * synchronous), so a longer transaction waited for something else.
 */
async function alone<Value>(work: Promise<Value>): Promise<Value> {
  let isLate = false
  const turn = setImmediate(() => (isLate = true))
  const value = await work.finally(() => clearImmediate(turn))
  if (isLate) throw new Error('Something other than the store was awaited inside a transaction')
  return value
}
