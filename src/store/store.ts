import { Kysely, type Transaction } from 'kysely'
import { mkdirSync } from 'node:fs'
import type { Migration } from '../core/area.ts'
import type { RowWrite } from '../core/change.ts'
import { lockDataDirectory } from './data-lock.ts'
import { migrate } from './migrate.ts'
import { openKeyFile, type Seal, sealWith } from './secrets.ts'
import { openSequences, sequenceMigration } from './sequences.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { writeRows } from './write-rows.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** The panel's own store. */
export interface Store extends Seal {
  readonly db: Db
  /** A short transaction. Nothing but the store may be awaited inside: a plain read beside it would wait as long. */
  transaction<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>
  /** A fresh identifier of a table, never given twice, also after the row is gone. */
  nextId(table: string): number
  /** Carries out row writes and tells the listeners of their tables once the transaction has committed. */
  write(tx: Tx, writes: readonly RowWrite[]): Promise<void>
  /** Calls back after a transaction that wrote one of these tables. */
  onWritten(tables: readonly string[], listener: () => void): void
  close(): Promise<void>
}

interface StoreOptions {
  /** Where the database, the key file and the copies live; in memory when absent. */
  readonly dataDir?: string
  readonly migrations: readonly Migration[]
  readonly now: Date
}

/** Opens the store: holds the data directory, migrates after a copy, and refuses a newer schema. */
export async function openStore({ dataDir, migrations, now }: StoreOptions): Promise<Store> {
  if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = dataDir ? lockDataDirectory(dataDir) : undefined
  try {
    const database = openSqlite(dataDir ? `${dataDir}/hostreeve.db` : ':memory:')
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    const seal = dataDir ? openKeyFile(`${dataDir}/secret.key`) : sealWith(Buffer.alloc(32, 7))
    const copy = () => database.prepare('VACUUM INTO ?').run(`${dataDir}/before-migration-${now.toISOString().replaceAll(/\D/g, '')}.db`)
    await migrate(db, [sequenceMigration, ...migrations], now, dataDir ? copy : () => {})
    return bind(db, seal, await openSequences(db), () => lock?.release())
  } catch (error) {
    lock?.release()
    throw error
  }
}

function bind(db: Db, seal: Seal, sequences: Awaited<ReturnType<typeof openSequences>>, release: () => void): Store {
  const listeners: { readonly tables: ReadonlySet<string>; readonly call: () => void }[] = []
  const written = new WeakMap<Tx, Set<string>>()
  return {
    ...seal,
    db,
    nextId: sequences.next,
    transaction: async (work) => {
      const touched = new Set<string>()
      const value = await db.transaction().execute((tx) => {
        written.set(tx, touched)
        return alone(work(tx))
      })
      for (const { tables, call } of listeners) if ([...touched].some((table) => tables.has(table))) call()
      return value
    },
    write: async (tx, writes) => {
      for (const write of writes) written.get(tx)?.add(write.table)
      await writeRows(tx, writes)
      await sequences.keep(tx, writes)
    },
    onWritten: (tables, call) => void listeners.push({ tables: new Set(tables), call }),
    close: async () => {
      await db.destroy()
      release()
    },
  }
}

/**
 * Refuses a transaction that outlives the current turn of the event loop. The store answers within the turn (node:sqlite is
 * synchronous), so whatever lasts longer waited for something else.
 */
async function alone<Value>(work: Promise<Value>): Promise<Value> {
  let isLate = false
  const turn = setImmediate(() => (isLate = true))
  const value = await work
  clearImmediate(turn)
  if (isLate) throw new Error('Something other than the store was awaited inside a transaction')
  return value
}
