import type { ListQuery, Page } from '../../core/reply.ts'
import type { JobRow, JobState } from '../../jobs/tables.ts'
import { readPage } from '../../store/page.ts'
import type { Store } from '../../store/store.ts'

export interface JobFilter {
  readonly state?: JobState
  /** Whose jobs; all when absent. */
  readonly ownerId?: number
}

/** This area's queries. */
export function jobQueries({ db }: Store) {
  return {
    /** Removes jobs that ended before this time, with their events; answers how many. */
    removeEndedBefore: async (time: Date): Promise<number> => {
      const gone = await db
        .deleteFrom('jobs')
        .where('finished_at', '<', time.toISOString())
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
    byId: (id: number): Promise<JobRow | undefined> =>
      db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),
    page: (query: ListQuery, { state, ownerId }: JobFilter): Promise<Page<JobRow>> => {
      let rows = db.selectFrom('jobs').selectAll()
      if (state !== undefined) rows = rows.where('state', '=', state)
      if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId)
      return readPage(rows, query, { search: ['title', 'kind'] })
    },
  }
}
