import type { Caller } from '../../core/caller.ts'
import { area } from '../../core/area.ts'
import { NotFound } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { JobRow } from '../../jobs/tables.ts'
import type { Deps } from '../deps.ts'
import { cancelStep } from './cancel.ts'
import { jobQueries } from './store.ts'

const over: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted'])

/** Opens the area on the queue. A user sees their own jobs, a superuser all jobs. */
export function openJobsArea({ store, jobs }: Deps) {
  const queries = jobQueries(store)
  return {
    page: queries.page,
    cancelStep: cancelStep({
      cancel: jobs.cancel,
      isCancelled: async (id) => {
        const row = await queries.byId(id)
        return row === undefined || row.is_cancelling === 1 || over.has(row.state)
      },
    }),
    load: async (id: number, caller: Caller): Promise<JobRow> => {
      const row = await queries.byId(id)
      if (row === undefined || (!caller.user.isAdmin && row.owner_id !== caller.user.id))
        throw NotFound(`id: there is no job ${id}`)
      return row
    },
    /**
     * Yields the events of a job from the given one on, then new ones as they occur, and finally its outcome.
     */
    events: async function* (
      id: number,
      afterSeq: number,
      signal: AbortSignal,
    ): AsyncGenerator<StreamEvent<JobEventValue>> {
      const isOver = async () => over.has((await queries.byId(id))?.state ?? 'cancelled')
      for await (const { seq, type, percent, message, created_at } of jobs.feed.follow(
        id,
        afterSeq,
        isOver,
        signal,
      )) {
        yield { id: seq, value: { type, percent, message, created_at } }
      }
      const row = await queries.byId(id)
      if (row && over.has(row.state))
        yield { value: { type: 'end', percent: row.percent, message: row.message, state: row.state } }
    },
    removeOld: () => queries.removeOld(store.trustedNow()),
    isOver: (row: JobRow): boolean => over.has(row.state),
  }
}

interface JobEventValue {
  type: 'state' | 'progress' | 'output' | 'end'
  percent: number | null
  message: string
  created_at?: string
  state?: JobRow['state']
}

export interface Context {
  readonly jobs: ReturnType<typeof openJobsArea>
}

export const { endpoint, job } = area.of<Context>()
