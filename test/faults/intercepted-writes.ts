import { DatabaseSync, StatementSync } from 'node:sqlite'

/** Performs a write of the store, skips it, or throws, to simulate the behaviour of the disk. */
export type Intercept = (sql: string, carryOut: () => void) => void

/** The writes to one database file. */
export interface InterceptedWrites {
  /** Called for each write and each commit from now on; undefined passes them through. */
  intercept: Intercept | undefined
  end(): void
}

const intercepted = new Map<string, InterceptedWrites>()
const databases = new WeakMap<StatementSync, DatabaseSync>()
const isWrite = (sql: string): boolean => /^(insert|update|delete|commit)\b/i.test(sql)

/** Watches the writes to a database file, which is opened afterwards. */
export function interceptWrites(file: string): InterceptedWrites {
  install()
  const writes: InterceptedWrites = { intercept: undefined, end: () => void intercepted.delete(file) }
  intercepted.set(file, writes)
  return writes
}

let isInstalled = false

function install(): void {
  if (isInstalled) return
  isInstalled = true
  const { prepare } = DatabaseSync.prototype
  const { run } = StatementSync.prototype
  DatabaseSync.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args)
    if (intercepted.has(this.location() ?? '')) databases.set(statement, this)
    return statement
  }
  StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
    const carryOut = () => run.apply(this, values as never)
    const database = databases.get(this)
    const intercept = database && intercepted.get(database.location() ?? '')?.intercept
    if (database === undefined || intercept === undefined || !isWrite(this.sourceSQL)) return carryOut()
    let result: ReturnType<typeof run> = { changes: 0, lastInsertRowid: 0 }
    try {
      intercept(this.sourceSQL, () => (result = carryOut()))
    } catch (error) {
      if (database.isTransaction) database.exec('rollback') // as SQLite does by itself when its disk is full
      throw error
    }
    return result
  } as typeof run
}

/** The error of node:sqlite for SQLITE_FULL. */
export const noRoom = (): Error =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
