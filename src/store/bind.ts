import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import type { RowWrite } from '../core/change.ts'
import { refuseWithinDecision } from '../core/deciding.ts'
import type { Db, Tx } from './database.ts'
import type { Seal } from './secrets.ts'
import type { openSequences } from './sequences.ts'
import { writeRows } from './write-rows.ts'

/** The panel's own store. */
export interface Store extends Seal {
  readonly db: Db
  /** The names of the migrations that this panel knows; after a rollback the store has more. */
  readonly migrations: readonly string[]
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
  /** Calls back after a transaction that wrote one of these tables. On a server, the transaction waits for a promise that is returned. */
  onWritten(tables: readonly string[], listener: () => unknown): void
  /** The time of day for deleting by age; undefined while the clock may be wrong. */
  trustedNow(): Date | undefined
  /** Writes a consistent copy to a file that does not exist yet, while the store is used. */
  copyTo(path: string): Promise<void>
  /** Opens the store in another folder as this panel would at its start; throws what that would meet, such as a foreign key or a newer schema. */
  tryOpening(dataDir: string): Promise<void>
  close(): Promise<void>
}

/** What differs between the databases that a store may have. */
export interface Backend {
  readonly db: Db
  /** Refuses a transaction that awaits something other than the store. */
  alone<Value>(work: Promise<Value>): Promise<Value>
  /** Repeats a transaction that a lost connection rolled back. */
  repeating<Value>(work: () => Promise<Value>): Promise<Value>
  assertWritable(): Promise<void>
  copyTo(path: string): Promise<void>
  /**
   * True if a read takes turns of the event loop: whoever has written then waits for listeners that read again, which on SQLite
   * have done so before the caller goes on.
   */
  readonly isRemote: boolean
  /** Called once the database is closed. */
  release(): void
}

/** Makes the store of a database whose schema is up to date. */
export function bindStore(
  backend: Backend,
  seal: Seal,
  sequences: Awaited<ReturnType<typeof openSequences>>,
): Omit<Store, 'trustedNow' | 'tryOpening' | 'migrations'> {
  const raw = backend.db
  const listeners = openListeners(backend.isRemote)
  const written = new WeakMap<Tx, Set<string>>()
  const transact = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => {
    if (inside.getStore()) throw new Error(nested)
    const once = () => raw.transaction().execute((tx) => inside.run(true, () => backend.alone(work(tx))))
    return backend.repeating(once)
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
      await listeners.tell(touched)
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
    assertWritable: backend.assertWritable,
    onWritten: listeners.add,
    copyTo: backend.copyTo,
    close: async () => {
      await raw.destroy()
      backend.release()
    },
  }
}

function openListeners(isRemote: boolean) {
  const listeners: { readonly tables: ReadonlySet<string>; readonly call: () => unknown }[] = []
  return {
    add: (tables: readonly string[], call: () => unknown): void =>
      void listeners.push({ tables: new Set(tables), call }),
    tell: (touched: ReadonlySet<string>): Promise<unknown> | undefined => {
      const concerned = listeners.filter(({ tables }) => [...touched].some((table) => tables.has(table)))
      const told = concerned.map(({ call }) => tell(call))
      if (!isRemote) return undefined
      return Promise.all(told.map((each) => Promise.resolve(each).catch(throwLater)))
    },
  }
}

/** The commit stands: a listener that fails is a bug of its own and must not look like a failed write. */
function tell(listener: () => unknown): unknown {
  try {
    return listener()
  } catch (error) {
    throwLater(error)
    return undefined
  }
}

/** The process tells of it as of any other bug. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
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
