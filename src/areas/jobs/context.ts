import { area } from '../../core/area.ts'
import { type ShownStep, stepsOfJob } from '../../changes/shown-steps.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { JobRow } from '../../jobs/tables.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { cancelStep, isOver } from './cancel.ts'
import { type JobQueries, jobQueries } from './store.ts'

/** The stored jobs, as the verbs of the area reach them. */
export interface JobsArea {
  readonly queries: JobQueries
  readonly feed: Jobs['feed']
  readonly cancelStep: ReturnType<typeof cancelStep>
  readonly trustedNow: Store['trustedNow']
  /** The steps of a job's change, with their progress. */
  stepsOf(job: JobRow): Promise<readonly ShownStep[]>
}

/** Binds the area to the queue. */
export function openJobsArea({ store, steps, jobs: { cancel, feed } }: Deps): JobsArea {
  const queries = jobQueries(store)
  const isCancelled = async (id: number) => {
    const row = await queries.byId(id)
    return row === undefined || row.is_cancelling === 1 || isOver(row)
  }
  return {
    queries,
    feed,
    cancelStep: cancelStep({ cancel, isCancelled }),
    trustedNow: store.trustedNow,
    stepsOf: (job) => stepsOfJob(store, steps, job),
  }
}

export interface Context {
  readonly jobs: JobsArea
}

export const { endpoint, job } = area.of<Context>()
