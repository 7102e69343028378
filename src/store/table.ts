import type { RowUndo, RowWrite, Scalar } from '../core/change.ts'
import type { Column } from './columns.ts'

export type Columns = Readonly<Record<string, Column>>

type StoredOf<C> = C extends Column<infer Stored> ? Stored : never
type ValueOf<C> = C extends Column<Scalar, infer Value> ? Value : never
type Absent<C extends Columns> = { [K in keyof C]: null extends StoredOf<C[K]> ? K : never }[keyof C]
type Hidden<C extends Columns> = { [K in keyof C]: C[K]['isShown'] extends true ? never : K }[keyof C]

type RowIn<C extends Columns> = { readonly [K in keyof C]: StoredOf<C[K]> }
type Values<C extends Columns> = { readonly [K in keyof C]: ValueOf<C[K]> }
type NewValues<C extends Columns> = Omit<Values<C>, Absent<C> | 'revision'> & {
  readonly [K in Absent<C> | (keyof C & 'revision')]?: ValueOf<C[K]>
}
type ShownIn<C extends Columns> = { -readonly [K in Exclude<keyof C, Hidden<C>>]: ValueOf<C[K]> }

/** A table of an area: what its rows contain, and the writes of its rows as data. */
export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  /** One row in a message, such as `website`. */
  readonly noun: string
  /** The columns that the search of a list looks in. */
  readonly search: readonly string[]
  /** A new row: null where an optional value is absent, and revision 1. */
  row(values: NewValues<C>): RowIn<C>
  /** The row as it is after `update`. */
  changed(row: RowIn<C>, set: Partial<Values<C>>): RowIn<C>
  insert(row: RowIn<C>): RowWrite
  /** Writes values into the row, unless it was changed since it was read: then it is a conflict. */
  update(row: RowIn<C>, set: Partial<Values<C>>): RowWrite
  /** Writes values into the rows with these stored values; a conflict if there is none. */
  updateWhere(where: Partial<RowIn<C>>, set: Partial<Values<C>>): RowWrite
  /** Deletes the rows with these stored values, if any. */
  delete(where: Partial<RowIn<C>>): RowWrite
  /** The fields that a reply may contain. */
  show(row: RowIn<C>): ShownIn<C>
}

/** The rows of a table, as they are stored. */
export type RowOf<T> = T extends Table<infer C> ? RowIn<C> : never

type UndoOptions = Omit<RowUndo, 'key'>

interface TableOptions {
  readonly noun?: string
  readonly search?: readonly string[]
  /** The reasons why writes of this table are not undone by id; secret columns are never restored. */
  readonly notUndone?: UndoOptions
}

/** Declares a table once: `export const websites = table('websites', { id: id(), domain: text(253, { unique: true }) })`. */
export function table<const C extends Columns>(
  name: string,
  columns: C,
  { noun = name, search = [], notUndone = {} }: TableOptions = {},
): Table<C> {
  const undo = undoOf(columns, notUndone)
  const encode = (values: object) => encoded(name, columns, values)
  const next = (row: RowIn<C>, set: object) =>
    'revision' in columns ? { ...encode(set), revision: Number(row['revision']) + 1 } : encode(set)
  const isGuard = (column: string) => columns[column]?.isKey === true || column === 'revision'
  return {
    name,
    columns,
    noun,
    search,
    row: (values) => newRow(columns, encode(values)) as RowIn<C>,
    changed: (row, set) => ({ ...row, ...next(row, set) }),
    insert: (row) => ({ write: 'insert', table: name, values: row, undo }),
    update: (row, set) => ({
      write: 'update',
      table: name,
      where: picked(row, isGuard),
      set: next(row, set),
      undo,
    }),
    updateWhere: (where, set) => ({
      write: 'update',
      table: name,
      where: assertGiven(where),
      set: encode(set),
      undo,
    }),
    delete: (where) => ({ write: 'delete', table: name, where: assertGiven(where), undo }),
    show: (row) => shown(columns, row) as ShownIn<C>,
  }
}

type Stored = Readonly<Record<string, Scalar>>

function undoOf(columns: Columns, notUndone: UndoOptions): RowUndo {
  const named = Object.entries(columns)
  const secrets = named
    .filter(([, { isShown }]) => !isShown)
    .map(([column]) => [column, 'it replaced a secret'])
  return {
    key: named.filter(([, { isKey }]) => isKey).map(([column]) => column),
    ...notUndone,
    columns: { ...Object.fromEntries(secrets), ...notUndone.columns },
    unchecked: ['revision', 'updated_at', ...(notUndone.unchecked ?? [])],
  }
}

function encoded(table: string, columns: Columns, values: object): Stored {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const column = columns[name]
      if (column === undefined) throw new Error(`the table ${table} has no column ${name}`)
      return value === undefined ? [] : [[name, column.encode(value)]]
    }),
  )
}

const newRow = (columns: Columns, values: Stored): Stored => ({
  ...Object.fromEntries(Object.keys(columns).map((name) => [name, name === 'revision' ? 1 : null])),
  ...values,
})

const picked = (row: Stored, isPicked: (column: string) => boolean): Stored =>
  Object.fromEntries(Object.entries(row).filter(([column]) => isPicked(column)))

/** A condition on an unknown value would be one on none, and delete every row. */
export function assertGiven(where: object): Stored {
  const conditions: readonly (readonly [string, Scalar | undefined])[] = Object.entries(where)
  const given = conditions.map(([column, value]): readonly [string, Scalar] => {
    if (value === undefined) throw new Error(`the condition on ${column} has no value`)
    return [column, value]
  })
  return Object.fromEntries(given)
}

function shown(columns: Columns, row: Stored): object {
  const fields = Object.entries(columns).filter(([, { isShown }]) => isShown)
  return Object.fromEntries(fields.map(([name, column]) => [name, column.decode(row[name] ?? null)]))
}
