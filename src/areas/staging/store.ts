import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { optional, ref, time } from '../../store/columns.ts'
import { readPage } from '../../store/page.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

/** A website that is a copy of another one. */
export const stagingCopies = table(
  'staging_copies',
  {
    website_id: ref('websites', { key: true }),
    /** Null once the origin was deleted. */
    origin_id: optional(ref('websites')),
    user_id: ref('users'),
    created_at: time(),
    /** Null if it was never pushed. */
    pushed_at: optional(time()),
  },
  { noun: 'staging copy' },
)
export type StagingRow = RowOf<typeof stagingCopies>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly staging_copies: StagingRow
  }
}

/** Returns this area's queries. */
export function stagingQueries(store: Store) {
  const rows = queriesOf(store, stagingCopies)
  return {
    page: (query: ListQuery, { user }: Caller): Promise<Page<StagingRow>> => {
      const all = store.db.selectFrom('staging_copies').selectAll()
      const found = user.isAdmin ? all : all.where('user_id', '=', user.id)
      return readPage(found, query, { search: [], key: 'website_id' })
    },
    find: (websiteId: number) => rows.find({ website_id: websiteId }),
    ofOrigin: (originId: number): Promise<readonly StagingRow[]> =>
      store.db
        .selectFrom('staging_copies')
        .selectAll()
        .where('origin_id', '=', originId)
        .orderBy('website_id')
        .execute(),
    /** Returns websites by their ids. */
    websitesOf: (ids: readonly number[]) =>
      store.db
        .selectFrom('websites')
        .select(['id', 'user_id', 'domain', 'username', 'certificate'])
        .where('id', 'in', [...ids])
        .execute(),
  }
}

export type StagingQueries = ReturnType<typeof stagingQueries>
