import { id, integer, revision, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

/** One row: how phpMyAdmin is served. */
export const webadmin = table('webadmin', {
  id: id(),
  /** The path below which it is served. */
  alias: text(14),
  version: text(20),
  php_version: text(10),
  port: integer(),
  revision: revision(),
})

declare module '../../store/tables.ts' {
  interface Tables {
    readonly webadmin: RowOf<typeof webadmin>
  }
}

export type ServedWebadmin = RowOf<typeof webadmin>

/** Returns this area's queries. */
export const webadminQueries = (store: Store) => ({
  served: () => queriesOf(store, webadmin).find({ id: 1 }),
})

export type WebadminQueries = ReturnType<typeof webadminQueries>
