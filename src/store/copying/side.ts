import type { DatabaseSync } from 'node:sqlite'

/** A table of the store, as it is in SQLite. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of its primary key; all of them where it has none. */
  readonly key: readonly string[]
}

/** The values of a row, in the order of the columns. */
export type RowValues = readonly unknown[]

/** One of the two databases of a copy. */
export interface Side {
  /** All rows of a table, in the order of its key. */
  rows(table: TableShape): AsyncIterable<RowValues>
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
      for (const row of all.iterate()) yield columns.map((column) => row[column])
    },
    insert: async ({ name, columns }, rows) => {
      const marks = columns.map(() => '?').join(', ')
      const insert = database.prepare(`insert into ${quoted(name)} (${listed(columns)}) values (${marks})`)
      for (const row of rows) insert.run(...(row as never[]))
    },
    clear: async ({ name }) => database.exec(`delete from ${quoted(name)}`),
  }
}

/** The tables of a store in SQLite, each after those that its rows refer to. */
export function shapesOf(database: DatabaseSync): readonly TableShape[] {
  const all = <Row>(query: string, ...values: readonly string[]) =>
    database.prepare(query).all(...values) as Row[]
  const names = all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
  ).map(({ name }) => name)
  const ordered: string[] = []
  const add = (name: string, above: readonly string[]): void => {
    if (ordered.includes(name) || above.includes(name)) return
    const referred = all<{ table: string }>('select "table" from pragma_foreign_key_list(?)', name)
    for (const { table } of referred) add(table, [...above, name])
    ordered.push(name)
  }
  for (const name of names) add(name, [])
  return ordered.map((name) => {
    const columns = all<{ name: string; pk: number }>(
      'select name, pk from pragma_table_info(?) order by cid',
      name,
    )
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    return {
      name,
      columns: columns.map((column) => column.name),
      key: (key.length > 0 ? key : columns).map((column) => column.name),
    }
  })
}
