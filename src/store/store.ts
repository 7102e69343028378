import type { Db, Tx } from './database.ts'
import { Kysely, type KyselyPlugin, sql } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import type { Migration } from '../core/area.ts'
import type { RowWrite } from '../core/change.ts'
import { refuseWithinDecision } from '../core/deciding.ts'
import { keepCopy } from './copy.ts'
import { lockDataDirectory } from './data-lock.ts'
import { nameFullDisk } from './disk-failures.ts'
import { nameUnusable } from './unusable.ts'
import { assertSealedUnder, keyCheckMigration, sealConstant } from './key-check.ts'
import { migrate } from './migrate.ts'
import { openKeyFile, type Seal, sealWith } from './secrets.ts'
import { openSequences, sequenceMigration } from './sequences.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { toleratedMigrations } from './tolerated.ts'
import { openTrustedClock } from './trusted-clock.ts'
import { writeRows } from './write-rows.ts'

/** The panel's own store. */
export interface Store extends Seal {
  readonly db: Db
  /** A short transaction. Nothing but the store may be awaited inside: other reads wait as long. */
  transaction<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>
  /** Performs writes and rolls them back; throws what they would meet. */
  rehearse(writes: readonly RowWrite[]): Promise<void>
  /** Writes one page; throws what any write would meet, such as a full or read-only disk. */
  assertWritable(): Promise<void>
  /** A new identifier of a table, never assigned twice, even after the row was deleted. */
  nextId(table: string): number
  /** The identifier that `nextId` would return now. */
  peekId(table: string): number
  /** Performs row writes and notifies the listeners of their tables after the commit. */
  write(tx: Tx, writes: readonly RowWrite[]): Promise<void>
  /** Calls back after a transaction that wrote one of these tables. */
  onWritten(tables: readonly string[], listener: () => void): void
  /** The time of day for deleting by age; undefined while the clock may be wrong. */
  trustedNow(): Date | undefined
  /** Writes a consistent copy to a file that does not exist yet, while the store is used. */
  copyTo(path: string): Promise<void>
  /** Opens the store in another folder as this panel would at its start; throws what that would meet, such as a foreign key or a newer schema. */
  tryOpening(dataDir: string): Promise<void>
  close(): Promise<void>
}

interface StoreOptions {
  /** The directory of the database, the key file and the copies; in memory when absent. */
  readonly dataDir?: string
  readonly migrations: readonly Migration[]
  readonly now: Date
}

/** Opens the store: locks the data directory, makes a copy, migrates, and rejects a newer schema. */
export async function openStore({ dataDir, migrations, now }: StoreOptions): Promise<Store> {
  const file = dataDir ? `${dataDir}/hostreeve.db` : ':memory:'
  const keyFile = `${dataDir}/secret.key`
  let db: Db | undefined
  let lock: ReturnType<typeof lockDataDirectory> | undefined
  try {
    if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    lock = dataDir ? lockDataDirectory(dataDir) : undefined
    const seal = dataDir ? openKeyFile(keyFile, { mayCreate: isUnused(file) }) : sealWith(Buffer.alloc(32, 7))
    const trustedNow = openTrustedClock(dataDir ? { lastWrittenMs: lastWrittenMs(file) } : {})
    if (dataDir) keepPrivate(file)
    const database = openSqlite(file)
    db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    if (dataDir) await assertSealedUnder(db, seal, keyFile)
    await migrate(
      db,
      [sequenceMigration, keyCheckMigration, ...migrations],
      now,
      dataDir ? () => keepCopy(database, dataDir, now) : () => {},
      dataDir ? toleratedMigrations(dataDir) : undefined,
    )
    await sealConstant(db, seal)
    const bound = bind(db, seal, await openSequences(db), () => lock?.release())
    const tryOpening = async (folder: string) => {
      const other = await openStore({ dataDir: folder, migrations, now: new Date() })
      await assertSound(other.db).finally(() => other.close())
    }
    return { ...bound, trustedNow, tryOpening }
  } catch (error) {
    await db?.destroy()
    lock?.release()
    throw dataDir ? nameUnusable(nameFullDisk(error, dataDir), file) : error
  }
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

function bind(
  raw: Db,
  seal: Seal,
  sequences: Awaited<ReturnType<typeof openSequences>>,
  release: () => void,
): Omit<Store, 'trustedNow' | 'tryOpening'> {
  const listeners: { readonly tables: ReadonlySet<string>; readonly call: () => void }[] = []
  const written = new WeakMap<Tx, Set<string>>()
  const transact = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => {
    if (inside.getStore()) throw new Error(nested)
    return raw.transaction().execute((tx) => inside.run(true, () => alone(work(tx))))
  }
  return {
    ...seal,
    db: raw.withPlugin(refusesInside),
    nextId: sequences.next,
    peekId: sequences.peek,
    transaction: async (work) => {
      refuseWithinDecision()
      const touched = new Set<string>()
      const value = await transact((tx) => {
        written.set(tx, touched)
        return work(tx)
      })
      for (const { tables, call } of listeners)
        if ([...touched].some((table) => tables.has(table))) tell(call)
      return value
    },
    write: async (tx, writes) => {
      for (const write of writes) written.get(tx)?.add(write.table)
      await writeRows(tx, writes)
      await sequences.keep(tx, writes)
    },
    rehearse: (writes) =>
      transact(async (tx) => {
        await writeRows(tx, writes)
        throw rehearsed
      }).catch((error) => {
        if (error !== rehearsed) throw error
      }),
    // SQLite writes the page of this number, which the panel does not use, also if it stays the same
    assertWritable: async () => void (await sql`pragma user_version = 0`.execute(raw)),
    onWritten: (tables, call) => void listeners.push({ tables: new Set(tables), call }),
    copyTo: async (path) => void (await sql`vacuum into ${path}`.execute(raw)),
    close: async () => {
      await raw.destroy()
      release()
    },
  }
}

/** The commit stands: a listener that fails is a bug of its own and must not look like a failed write. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const rehearsed = Symbol('a rehearsal is rolled back')
const inside = new AsyncLocalStorage<true>()
const writing: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])
const nested = 'Inside a transaction, query through it: any other query would deadlock with it'

const refusesInside: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (inside.getStore()) throw new Error(nested)
    if (writing.has(node.kind)) refuseWithinDecision()
    return node
  },
  transformResult: async ({ result }) => result,
}

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
