import { sql } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import type { RowWrite, Scalar } from '../core/change.ts'
import type { Db } from './database.ts'

type Row = Readonly<Record<string, Scalar>>

/** How tables of a copy differ from those of the store. */
export interface Differences {
  /** True if the copy has the same tables with the same columns. */
  readonly isSameSchema: boolean
  /** The writes that make the tables as the copy has them: rows go before those they refer to, and come after them. */
  readonly writes: readonly RowWrite[]
}

/** Compares tables of the store with a copy of it, in which each table comes after those that it refers to. */
export async function differencesTo(db: Db, copy: string, tables: readonly string[]): Promise<Differences> {
  const other = new DatabaseSync(copy, { readOnly: true })
  try {
    const schemaOf = 'select name, sql from sqlite_master where sql is not null order by name'
    const { rows: schema } =
      await sql<Row>`select name, sql from sqlite_master where sql is not null order by name`.execute(db)
    const isSameSchema = JSON.stringify(schema) === JSON.stringify(other.prepare(schemaOf).all())
    if (!isSameSchema) return { isSameSchema, writes: [] }
    const compared: TableDifference[] = []
    for (const table of tables) compared.push(await compare(db, other, table))
    const deleted = compared.toReversed().flatMap((each) => each.deleted)
    return { isSameSchema, writes: [...deleted, ...compared.flatMap(({ written }) => written)] }
  } finally {
    other.close()
  }
}

interface TableDifference {
  readonly deleted: readonly RowWrite[]
  readonly written: readonly RowWrite[]
}

async function compare(db: Db, other: DatabaseSync, table: string): Promise<TableDifference> {
  const { rows: columns } = await sql<{
    name: string
    pk: number
  }>`select name, pk from pragma_table_info(${table})`.execute(db)
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db)
  const wanted = other.prepare(`select * from "${table.replaceAll('"', '""')}"`).all() as readonly Row[]
  const keyIn = (row: Row): Row => Object.fromEntries(key.map((name) => [name, row[name] ?? null]))
  const textOf = (row: Row) => JSON.stringify(keyIn(row))
  const [now, then] = [
    new Map(rows.map((row) => [textOf(row), row])),
    new Map(wanted.map((row) => [textOf(row), row])),
  ]
  const deleted = rows.filter((row) => !then.has(textOf(row)))
  const written = wanted.flatMap((row): RowWrite[] => {
    const current = now.get(textOf(row))
    if (current === undefined) return [{ write: 'insert', table, values: { ...row } }]
    const set = changedIn(current, row)
    return set === undefined ? [] : [{ write: 'update', table, where: keyIn(row), set }]
  })
  return { deleted: deleted.map((row) => ({ write: 'delete', table, where: keyIn(row) })), written }
}

/** The columns that differ; a revision only goes up, so that a form that was opened before is noticed. */
function changedIn(current: Row, wanted: Row): Row | undefined {
  const names = Object.keys(wanted).filter((name) => name !== 'revision' && wanted[name] !== current[name])
  if (names.length === 0) return undefined
  const set = Object.fromEntries(names.map((name) => [name, wanted[name] ?? null]))
  return 'revision' in current ? { ...set, revision: Number(current['revision']) + 1 } : set
}
