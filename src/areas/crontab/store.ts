import { ref, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

/** The crontab of a website, as its owner wrote it. */
export const crontabs = table(
  'website_crontabs',
  { website_id: ref('websites', { key: true }), crontab: text(200_000) },
  { noun: 'crontab' },
)

declare module '../../store/tables.ts' {
  interface Tables {
    readonly website_crontabs: RowOf<typeof crontabs>
  }
}

/** Returns this area's queries. */
export function crontabQueries(store: Store) {
  const rows = queriesOf(store, crontabs)
  return { find: (websiteId: number) => rows.find({ website_id: websiteId }) }
}

export type CrontabQueries = ReturnType<typeof crontabQueries>
