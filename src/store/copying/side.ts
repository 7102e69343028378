import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A table of the store, as it is in SQLite. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of its primary key; all of them where it has none. */
  readonly key: readonly string[]
  /** Those of its columns that contain whole numbers. */
  readonly whole: ReadonlySet<string>
}

/** The values of a row, in the order of the columns. */
export type RowValues = readonly SQLInputValue[]

/** One of the two databases of a copy. */
export interface Side {
  /** All rows of a table, in the order of its key. */
  rows(table: TableShape): AsyncIterable<RowValues>
  /** A row of the other database as this one can contain it. */
  storable(table: TableShape, row: RowValues): RowValues
  insert(table: TableShape, rows: readonly RowValues[]): Promise<void>
  clear(table: TableShape): Promise<void>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ')

/** A database of SQLite. */
export function sqliteSide(database: DatabaseSync): Side {
  return {
    rows: async function* (table) {
      const { columns, name, key } = table
      const all = database.prepare(`select ${listed(columns)} from ${quoted(name)} order by ${listed(key)}`)
      for (const row of all.iterate()) yield columns.map((column) => row[column] ?? null)
    },
    storable: (_table, row) => row,
    insert: async ({ name, columns }, rows) => {
      const marks = columns.map(() => '?').join(', ')
      const insert = database.prepare(`insert into ${quoted(name)} (${listed(columns)}) values (${marks})`)
      for (const row of rows) insert.run(...row)
    },
    clear: async ({ name }) => database.exec(`delete from ${quoted(name)}`),
  }
}

/** The tables of a store in SQLite, each after those that its rows refer to. */
export function shapesOf(database: DatabaseSync): readonly TableShape[] {
  const texts = (column: string, query: string, ...values: readonly string[]) =>
    database
      .prepare(query)
      .all(...values)
      .map((row) => String(row[column]))
  const names = texts(
    'name',
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
  )
  const ordered: string[] = []
  const add = (name: string, above: readonly string[]): void => {
    if (ordered.includes(name) || above.includes(name)) return
    const referred = texts('table', 'select "table" from pragma_foreign_key_list(?)', name)
    for (const each of referred) add(each, [...above, name])
    ordered.push(name)
  }
  for (const name of names) add(name, [])
  return ordered.map((name) => {
    const columns = texts('name', 'select name from pragma_table_info(?) order by cid', name)
    const key = texts('name', 'select name from pragma_table_info(?) where pk > 0 order by pk', name)
    const whole = texts('name', "select name from pragma_table_info(?) where lower(type) = 'integer'", name)
    return { name, columns, key: key.length > 0 ? key : columns, whole: new Set(whole) }
  })
}
