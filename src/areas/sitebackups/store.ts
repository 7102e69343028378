import Type from 'typebox'
import { boolean, id, integer, json, ref, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { drillQueries } from './drills/store.ts'

/** What of a website is backed up, when, and how long points are kept. */
export const backupSets = table('backup_sets', {
  id: id(),
  website_id: ref('websites'),
  name: text(63),
  files: boolean(),
  databases: boolean(),
  /** A cron expression in the time zone of the host; empty for none. */
  schedule: text(100),
  keep: integer(),
  /** 0 for any age. */
  keep_days: integer(),
})
export type SetRow = RowOf<typeof backupSets>

/** The restores of all websites; the jobs of one are those of its kind since its start, in the order of its sites. */
export const bulkRestores = table(
  'bulk_restores',
  {
    id: id(),
    sites: json(Type.Array(Type.Object({ username: Type.String(), domain: Type.String() }))),
    started_at: time(),
  },
  { notUndone: { left: 'the list of restores is history' } },
)
export type BulkRow = RowOf<typeof bulkRestores>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly backup_sets: SetRow
    readonly bulk_restores: BulkRow
  }
}

/** Returns this area's queries. */
export function backupQueries(store: Store) {
  const { db } = store
  const sets = queriesOf(store, backupSets)
  return {
    ...drillQueries(store),
    setsOf: (websiteId: number): Promise<readonly SetRow[]> =>
      db.selectFrom('backup_sets').selectAll().where('website_id', '=', websiteId).orderBy('name').execute(),
    findSet: (websiteId: number, name: string) => sets.find({ website_id: websiteId, name }),
    lastBulk: () =>
      db.selectFrom('bulk_restores').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst(),
    /** Returns the jobs of a kind that were enqueued since a time, in their order. */
    jobsSince: (kind: string, at: string) =>
      db
        .selectFrom('jobs')
        .select(['id', 'state', 'message', 'error', 'percent'])
        .where('kind', '=', kind)
        .where('created_at', '>=', at)
        .orderBy('id')
        .execute(),
    /** Returns the domains and owners of all websites. */
    sites: () =>
      db.selectFrom('websites').select(['id', 'domain', 'username', 'user_id']).orderBy('domain').execute(),
  }
}

export type BackupQueries = ReturnType<typeof backupQueries>
