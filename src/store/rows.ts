import type { RowWrite, Scalar } from '../core/change.ts'
import type { Tables } from './tables.ts'

type Row<Table extends keyof Tables> = {
  readonly [Column in keyof Tables[Table]]: Tables[Table][Column] & Scalar
}

/** Adds a row. Its `id`, if it has one, comes from the request's `id(table)`. */
export function insertRow<Table extends keyof Tables>(table: Table, values: Row<Table>): RowWrite {
  return { write: 'insert', table, values: values as Record<string, Scalar> }
}

/** Changes the rows that `where` selects; no such row is a conflict, so naming a revision guards against a lost update. */
export function updateRow<Table extends keyof Tables>(
  table: Table,
  where: Partial<Row<Table>>,
  set: Partial<Row<Table>>,
): RowWrite {
  return {
    write: 'update',
    table,
    where: where as Record<string, Scalar>,
    set: set as Record<string, Scalar>,
  }
}

/** Removes the rows that `where` selects, if any. */
export function deleteRow<Table extends keyof Tables>(table: Table, where: Partial<Row<Table>>): RowWrite {
  return { write: 'delete', table, where: where as Record<string, Scalar> }
}
