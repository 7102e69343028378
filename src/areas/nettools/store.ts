import { id, oneOf, ref, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { type Field, fields } from './model.ts'

export const entries = table(
  'nettools_history',
  { id: id(), user_id: ref('users'), field: oneOf(fields), value: text(1000) },
  { noun: 'history entry' },
)
export type EntryRow = RowOf<typeof entries>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly nettools_history: EntryRow
  }
}

/** Returns this area's queries. */
export function nettoolsQueries({ db }: Store) {
  return {
    /** The entries of a user, the newest first. */
    entries: (userId: number, field: Field): Promise<readonly EntryRow[]> =>
      db
        .selectFrom('nettools_history')
        .selectAll()
        .where('user_id', '=', userId)
        .where('field', '=', field)
        .orderBy('id', 'desc')
        .limit(100)
        .execute(),
  }
}

export type NettoolsQueries = ReturnType<typeof nettoolsQueries>
