import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreFailed } from '../core/problem.ts'
import { sqliteDiskProblem } from './disk-failures.ts'
import { type Dialect, type SqliteDatabase, type SqliteStatement, SqliteDialect } from 'kysely'

const cachedStatements = 500

/** Opens a SQLite file (or `:memory:`) as the panel uses it: WAL, foreign keys, a busy timeout, durable commits. */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    database.exec('PRAGMA busy_timeout = 5000')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Kysely on node:sqlite with a cache of prepared statements: without one a point read costs three times as much. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= cachedStatements) statements.delete(statements.keys().next().value as string)
    const statement = adapt(
      attempt(() => database.prepare(sql)),
      database,
      sql === 'rollback',
    )
    statements.set(sql, statement)
    return statement
  }
  return new SqliteDialect({ database: { prepare, close: () => database.close() } as SqliteDatabase })
}

function adapt(statement: StatementSync, database: DatabaseSync, isRollback: boolean): SqliteStatement {
  const reader = statement.columns().length > 0
  const values = (parameters: readonly unknown[]) => parameters as never[]
  return {
    reader,
    all: (parameters) => attempt(() => statement.all(...values(parameters))),
    run: (parameters) => {
      if (isRollback && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 }
      return attempt(() => statement.run(...values(parameters)))
    },
    iterate: (parameters) => statement.iterate(...values(parameters)) as IterableIterator<unknown>,
  }
}

/** Names a failure of SQLite, so that an endpoint can give it a code; its text stays in the cause. */
function attempt<Value>(access: () => Value): Value {
  try {
    return access()
  } catch (error) {
    throw sqliteDiskProblem(error) ?? StoreFailed(undefined, { cause: error })
  }
}
