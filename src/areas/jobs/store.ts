import type { ListQuery, Page } from '../../core/reply.ts'
import type { JobRow, JobState } from '../../jobs/tables.ts'
import { readPage } from '../../store/page.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'

const keptDays = 90

export interface JobFilter {
  readonly state?: JobState
  /** The owner of the jobs; absent for all. */
  readonly ownerId?: number
}

/** Returns this area's queries. */
export function jobQueries({ db }: Store) {
  return {
    /**
     * Removes jobs that ended three months ago, with their events, at most one day's worth; returns their
     * number.
     */
    removeOld: async (now: Date | undefined): Promise<number> => {
      const ended = db.selectFrom('jobs').where('finished_at', 'is not', null)
      const first = await ended.select(({ fn }) => fn.min('finished_at').as('at')).executeTakeFirst()
      const last = await ended.select('finished_at as at').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const limit = pruneLimit(now, keptDays, { oldest: first?.at, newest: last?.at })
      if (limit === undefined) return 0
      const gone = await db.deleteFrom('jobs').where('finished_at', '<', limit).executeTakeFirst()
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

export type JobQueries = ReturnType<typeof jobQueries>
