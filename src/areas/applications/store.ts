import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { oneOf, optional, ref, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { readPage } from '../../store/page.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { applicationIds } from './catalog/entry.ts'

/** An application that the panel installed in a website. */
export const applications = table(
  'applications',
  {
    website_id: ref('websites', { key: true }),
    /** The owner of the website. */
    user_id: ref('users'),
    application: oneOf(applicationIds),
    /** When it was installed; null if its file told none. */
    version: optional(text(40)),
    /** Null if it has none. */
    administrator: optional(text(60)),
    created_at: time(),
  },
  { noun: 'application', search: ['application'] },
)
export type ApplicationRow = RowOf<typeof applications>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly applications: ApplicationRow
  }
}

/** Returns this area's queries. */
export function applicationQueries(store: Store) {
  const rows = queriesOf(store, applications)
  return {
    page: (query: ListQuery, { user }: Caller): Promise<Page<ApplicationRow>> => {
      const all = store.db.selectFrom('applications').selectAll()
      const found = user.isAdmin ? all : all.where('user_id', '=', user.id)
      return readPage(found, query, { search: ['application'], key: 'website_id' })
    },
    ofWebsite: (websiteId: number) => rows.find({ website_id: websiteId }),
    /** Returns websites by their ids. */
    websitesOf: async (ids: readonly number[]) => {
      const found = await store.db
        .selectFrom('websites')
        .select(['id', 'domain', 'username', 'certificate'])
        .where('id', 'in', [...ids])
        .execute()
      return new Map(found.map((row) => [row.id, row]))
    },
  }
}

export type ApplicationQueries = ReturnType<typeof applicationQueries>
