import { boolean, id, integer, oneOf, optional, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { protocols, sourceTypes } from './model.ts'

export const sources = table(
  'logstore_sources',
  {
    id: id(),
    name: text(100, { unique: true }),
    type: oneOf(sourceTypes),
    protocol: oneOf(protocols),
    port: integer(),
    description: text(500),
    include_local: boolean(),
    allowed_ips: text(2000),
    replicate_to: text(300),
    enabled: boolean(),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'source' },
)
export type SourceRow = RowOf<typeof sources>

export const savedSearches = table(
  'logstore_saved_searches',
  {
    id: id(),
    name: text(200),
    query: text(2000),
    severity: text(100),
    time_range: text(100),
    /** Null for one that never expires. */
    expires_at: optional(time()),
    preserve_data: integer(),
    /** Lines within `alert_minutes` that notify; 0 for none. */
    alert_threshold: integer(),
    alert_minutes: integer(),
    created_at: time(),
  },
  { noun: 'saved search' },
)
export type SavedSearchRow = RowOf<typeof savedSearches>

/** One row, absent while the defaults apply. */
export const retention = table(
  'logstore_retention',
  { id: id(), max_age_days: integer(), max_disk_percent: integer(), revision: revision() },
  { noun: 'retention' },
)
export type RetentionRow = RowOf<typeof retention>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly logstore_sources: SourceRow
    readonly logstore_saved_searches: SavedSearchRow
    readonly logstore_retention: RetentionRow
  }
}

/** Returns the queries of this area. */
export function logstoreQueries(store: Store) {
  const { db } = store
  return {
    sources: (): Promise<readonly SourceRow[]> =>
      db.selectFrom('logstore_sources').selectAll().orderBy('id').execute(),
    loadSource: (id: number) => queriesOf(store, sources).load({ id }),
    findSource: (id: number) => queriesOf(store, sources).find({ id }),
    /** The saved searches, the newest first. */
    savedSearches: (): Promise<readonly SavedSearchRow[]> =>
      db.selectFrom('logstore_saved_searches').selectAll().orderBy('id', 'desc').execute(),
    findSavedSearch: (id: number) => queriesOf(store, savedSearches).find({ id }),
    /** Removes those that have expired. */
    removeExpired: async (now: Date): Promise<number> => {
      const gone = await db
        .deleteFrom('logstore_saved_searches')
        .where('expires_at', '<=', now.toISOString())
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
    retention: () => queriesOf(store, retention).find({ id: 1 }),
  }
}

export type LogstoreQueries = ReturnType<typeof logstoreQueries>
