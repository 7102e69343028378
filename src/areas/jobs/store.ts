import type { ListQuery, Page } from '../../core/reply.ts'
import type { JobRow, JobState } from '../../jobs/tables.ts'
import type { Db } from '../../store/database.ts'
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
    /** Counts the jobs that failed since a time and those that run, and returns the newest that failed. */
    failures: (since: Date, asked: Asked) => failuresSince(db, since, asked),
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

interface Asked extends Pick<JobFilter, 'ownerId'> {
  readonly limit: number
}

async function failuresSince(db: Db, since: Date, { ownerId, limit }: Asked) {
  const own = db
    .selectFrom('jobs')
    .$if(ownerId !== undefined, (rows) => rows.where('owner_id', '=', ownerId!))
  const failed = own
    .where('state', 'in', ['failed', 'interrupted'])
    .where('finished_at', '>=', since.toISOString())
  const count = async (rows: typeof own) =>
    Number((await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
  return {
    failed: await count(failed),
    running: await count(own.where('state', '=', 'running')),
    newest: await failed.selectAll().orderBy('id', 'desc').limit(limit).execute(),
  }
}

export type JobQueries = ReturnType<typeof jobQueries>
