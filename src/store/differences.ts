import { sql } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import type { RowWrite, Scalar } from '../core/change.ts'
import { mapKeys } from '../core/tool.ts'
import type { Store } from './bind.ts'
import { type Db, isPostgres } from './database.ts'

export type Row = Readonly<Record<string, Scalar>>

/** A row that a copy has otherwise. */
export interface RowDifference {
  readonly table: string
  /** The values that identify it. */
  readonly key: Row
  /** Absent if the store has no such row. */
  readonly now?: Row
  /** Absent if the copy has no such row. */
  readonly former?: Row
}

/** Compares tables of the store with a copy of it; undefined if the copy has other tables or columns. */
export async function differencesTo(
  store: Pick<Store, 'db' | 'migrations'>,
  copy: string,
  tables: readonly string[],
): Promise<readonly RowDifference[] | undefined> {
  const { db } = store
  const other = new DatabaseSync(copy, { readOnly: true })
  try {
    if (!(await (isPostgres(db) ? fitsServer(store, other) : fitsFile(db, other)))) return undefined
    const found: RowDifference[] = []
    for (const table of tables) found.push(...(await compare(db, other, table)))
    return found
  } finally {
    other.close()
  }
}

const statements = 'select name, sql from sqlite_master where sql is not null order by name'

async function fitsFile(db: Db, copy: DatabaseSync): Promise<boolean> {
  const { rows } = await sql.raw<Row>(statements).execute(db)
  return JSON.stringify(rows) === JSON.stringify(copy.prepare(statements).all())
}

const columnsOnServer = [
  "select columns.table_name || '.' || columns.column_name as name",
  'from information_schema.columns join information_schema.tables using (table_schema, table_name)',
  "where table_schema = current_schema() and table_type = 'BASE TABLE'",
].join(' ')
const columnsOfCopy = [
  "select tables.name || '.' || columns.name as name from sqlite_schema as tables",
  "join pragma_table_info(tables.name) as columns where tables.type = 'table'",
].join(' ')

/**
 * A copy is in SQLite: it and a store on a server have only columns in common. After a rollback the server has more of them, which
 * copies leave out together with the names of the migrations that this panel does not know.
 */
async function fitsServer({ db, migrations }: Pick<Store, 'db' | 'migrations'>, copy: DatabaseSync) {
  const { rows } = await sql.raw<{ name: string }>(columnsOnServer).execute(db)
  const present = new Set(rows.map(({ name }) => name))
  const copied = (query: string) =>
    copy
      .prepare(query)
      .all()
      .map(({ name }) => String(name))
  const applied = copied('select name from schema_migrations')
  return (
    migrations.every((name) => applied.includes(name)) &&
    copied(columnsOfCopy).every((name) => present.has(name))
  )
}

async function compare(db: Db, other: DatabaseSync, table: string): Promise<readonly RowDifference[]> {
  const columns = other.prepare('select name from pragma_table_info(?) where pk > 0').all(table)
  const names = columns.map(({ name }) => String(name))
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db)
  const former = other
    .prepare(`select * from "${table.replaceAll('"', '""')}"`)
    .all()
    .map((row): Row => mapKeys(Object.keys(row), (name) => scalarOf(row[name])))
  const keyIn = (row: Row): Row => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const byKey = (all: readonly Row[]) => new Map(all.map((row) => [JSON.stringify(keyIn(row)), row]))
  const [now, then] = [byKey(rows), byKey(former)]
  return [
    ...rows
      .filter((row) => !then.has(JSON.stringify(keyIn(row))))
      .map((row) => ({ table, key: keyIn(row), now: row })),
    ...former.flatMap((row) => {
      const current = now.get(JSON.stringify(keyIn(row)))
      if (current === undefined) return [{ table, key: keyIn(row), former: row }]
      return differingColumns(current, row).length === 0
        ? []
        : [{ table, key: keyIn(row), now: current, former: row }]
    }),
  ]
}

/** Columns are numbers, texts or null. */
const scalarOf = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' ? value : null

/** The columns that differ, but for the revision. */
export const differingColumns = (now: Row, then: Row): readonly string[] =>
  Object.keys(then).filter((name) => name !== 'revision' && then[name] !== now[name])

/**
 * The writes that make rows as the copy has them, of tables in an order in which each comes after those that it refers to: rows
 * go before those, and come after them. A revision only goes up, so that a form that was opened before is noticed.
 */
export function writesTo(differences: readonly RowDifference[]): readonly RowWrite[] {
  const deleted = differences.flatMap(({ table, key, former }): RowWrite[] =>
    former === undefined ? [{ write: 'delete', table, where: key }] : [],
  )
  const written = differences.flatMap(({ table, key, now, former }): RowWrite[] => {
    if (former === undefined) return []
    if (now === undefined) return [{ write: 'insert', table, values: { ...former } }]
    const set = Object.fromEntries(differingColumns(now, former).map((name) => [name, former[name] ?? null]))
    const { revision } = now
    return revision === undefined
      ? [{ write: 'update', table, where: key, set }]
      : [
          {
            write: 'update',
            table,
            where: { ...key, revision },
            set: { ...set, revision: Number(revision) + 1 },
          },
        ]
  })
  return [...deleted.toReversed(), ...written]
}
