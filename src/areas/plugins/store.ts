import { boolean, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

export const pluginSwitches = table('plugins', {
  name: text(50, { key: true }),
  enabled: boolean(),
  updated_at: time(),
})

declare module '../../store/tables.ts' {
  interface Tables {
    readonly plugins: RowOf<typeof pluginSwitches>
  }
}

/** Returns this area's queries. */
export function pluginQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, pluginSwitches)
  return {
    disabled: async (): Promise<readonly string[]> =>
      (await db.selectFrom('plugins').select('name').where('enabled', '=', 0).execute()).map(
        ({ name }) => name,
      ),
    known: async (name: string): Promise<boolean> => (await rows.find({ name })) !== undefined,
  }
}

export type PluginQueries = ReturnType<typeof pluginQueries>
