import type { Log } from '../core/endpoint.ts'
import type { JobKind, JobRun, WorkKind } from '../core/job.ts'
import type { RowWrite } from '../core/change.ts'
import { Problem, StoreFailed, Unavailable } from '../core/problem.ts'
import { isStoreAway } from '../store/disk-failures.ts'
import { updateRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { untilWritten } from '../store/until-written.ts'
import { type EventWriter, eventWriter } from './event-writer.ts'
import type { Feed } from './feed.ts'
import type { JobRow, JobState } from './tables.ts'

/** The time in which a claim must be renewed. */
export const leaseMs = 60_000

/** The maximum delay before the next attempt of a job. */
export const longestDelayMs = 60_000

/** A kind of plain job with the context of its runs. */
interface BoundJob {
  readonly kind: JobKind
  readonly context: object
}

/** A kind of long work, and the function that carries out its change. */
interface BoundWork {
  readonly kind: WorkKind
  /** Records how the change and its job ended, in one transaction. */
  readonly carry: (run: CarriedRun) => Promise<void>
}

export type BoundKind = BoundJob | BoundWork

/** The input of the function that carries out the change of a job. */
export interface CarriedRun extends EventWriter {
  readonly row: JobRow
  /** Ends when the job is cancelled, its time is up, or the panel stops. */
  readonly signal: AbortSignal
  readonly untilStored: UntilStored
}

/** Repeats work on the store until it is accepted, or the panel stops: nothing else would end the job. */
export type UntilStored = <Value>(work: () => Promise<Value>) => Promise<Value>

/** One run of a stored job. */
export interface Performance {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  readonly row: JobRow
  readonly bound: BoundKind | undefined
  readonly abort: AbortController
  readonly retryMs: number
  /** The time between two attempts to store the end of a job on a full disk. */
  readonly storeRetryMs: number
  /** Ends when the panel stops. */
  readonly stop: AbortSignal
}

/** The reasons with which the signal of a job ends. */
export const cancelled = new Error('cancelled')
export const stopping = new Error('the panel is stopping')
export const outOfTime = new Error('the time limit was reached')

/** Runs a claimed job, and records its end. */
export async function perform(performance: Performance): Promise<void> {
  const { store, feed, log, row, abort, retryMs, stop } = performance
  const bound = boundAs(performance)
  if (bound !== undefined && 'carry' in bound) return performWork(performance, bound)
  const writer = feed.writer(row.id)
  writer.add({
    type: 'state',
    percent: row.percent,
    message: row.attempt > 1 ? `Started again (attempt ${row.attempt})` : 'Started',
  })
  const release = holdLease(performance)
  let end: End
  try {
    if (bound === undefined) throw Unavailable(`No area of this panel knows the job ${row.kind}`)
    const events = eventWriter(writer)
    const run: JobRun<unknown> = {
      input: JSON.parse(store.unseal(row.input)),
      jobId: row.id,
      signal: abort.signal,
      log,
      attempt: row.attempt,
      progress: async (percent, message) => events.progress(percent, message),
      output: async (line) => events.output(line),
    }
    const result = await bound.kind.run({ ...bound.context, ...run })
    end = { state: 'succeeded', message: 'Done', percent: 100, result: JSON.stringify(result ?? null) }
  } catch (error) {
    end = endOf({ error, row, bound, signal: abort.signal, retryMs, isStopping: stop.aborted })
    if (!isRefusal(error) && !abort.signal.aborted) log.error({ err: error, jobId: row.id }, 'a job failed')
  } finally {
    release()
  }
  writer.add({ type: 'state', percent: end.percent ?? null, message: end.message })
  await record(performance, writer, end)
}

/** A plain job that an older panel stored is not run as the long work that now has its name. */
const boundAs = ({ bound, row }: Performance): BoundKind | undefined =>
  bound !== undefined && 'carry' in bound === (row.change_id !== null) ? bound : undefined

/** Renews the job's claim and limits its time, until the returned function is called. */
function holdLease({ store, log, row, bound, abort }: Performance): () => void {
  const limit = setTimeout(() => abort.abort(outOfTime), bound?.kind.timeoutMs ?? 1000)
  const failed = (error: unknown) => log.error({ err: error, jobId: row.id }, 'renewing a lease failed')
  const lease = setInterval(() => void renew(store, row.id).catch(failed), leaseMs / 3)
  return () => {
    clearTimeout(limit)
    clearInterval(lease)
  }
}

/** Runs a job that carries a change: its end is recorded with that of the change. */
async function performWork(performance: Performance, { carry }: BoundWork): Promise<void> {
  const { feed, row, abort } = performance
  const writer = feed.writer(row.id)
  writer.add({
    type: 'state',
    percent: row.percent,
    message: row.attempt > 1 ? `Started again (attempt ${row.attempt})` : 'Started',
  })
  const release = holdLease(performance)
  try {
    await carry({
      row,
      signal: abort.signal,
      untilStored: untilStored(performance),
      ...eventWriter(writer),
    })
  } finally {
    release()
    writer.wake()
  }
}

/** Stores the last events and the end; where the disk refuses that, once it can be written again. */
async function record(performance: Performance, writer: ReturnType<Feed['writer']>, end: End): Promise<void> {
  await untilStored(performance)(async () => {
    await writer.flush()
    await settle(performance.store, performance.row.id, end)
  })
  writer.wake() // a reader that has the last event waits to learn that it was the last
}

const untilStored =
  ({ log, row, storeRetryMs, stop }: Performance): UntilStored =>
  (work) =>
    untilWritten(work, {
      everyMs: storeRetryMs,
      signal: stop,
      onRefused: (error) =>
        log.error({ err: error, jobId: row.id }, 'the end of a job waits until the disk can be written'),
    })

/** The end of a run: the job has ended, or is queued again. */
export interface End {
  readonly state: JobState
  readonly message: string
  readonly percent?: number
  readonly result?: string
  readonly runAfter?: Date
  /** Set if the attempt does not count. */
  readonly attempt?: number
}

interface Failure extends Pick<Performance, 'row' | 'bound' | 'retryMs'> {
  readonly error: unknown
  readonly signal: AbortSignal
  readonly isStopping: boolean
}

/** True for a failure that the caller can act on; one of the store is a bug like any other, or passes where it cannot be reached. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind !== StoreFailed && !isStoreAway(error)

/** The message of a job that ended by a bug. */
export const internalError = (id: number): string =>
  `An internal error: the log of the panel names it under job ${id}`

function endOf({ error, row, bound, signal, retryMs, isStopping }: Failure): End {
  if (signal.reason === cancelled) return { state: 'cancelled', message: 'Cancelled' }
  if (isStopping)
    return bound?.kind.resumes
      ? { state: 'queued', message: 'Resumes at the next start' }
      : { state: 'interrupted', message: 'Interrupted: the panel stopped' }
  const message =
    signal.reason === outOfTime
      ? 'The time limit was reached'
      : isRefusal(error)
        ? error.message
        : internalError(row.id)
  const again = !isRefusal(error) && bound !== undefined && row.attempt < bound.kind.attempts
  if (!again) return { state: 'failed', message }
  return {
    state: 'queued',
    message: `Will be tried again: ${message}`,
    runAfter: retryAt(row.attempt, retryMs),
  }
}

/** Computes the time of the next attempt after a failed one. */
export const retryAt = (attempt: number, retryMs: number): Date =>
  new Date(Date.now() + Math.min(retryMs * 2 ** (attempt - 1), longestDelayMs))

/** Returns the write that records the end of a run. */
export function endOfJob(id: number, end: End): RowWrite {
  const isOver = end.state !== 'queued'
  const now = new Date().toISOString()
  return updateRow(
    'jobs',
    { id },
    {
      state: end.state,
      message: end.message,
      lease_until: null,
      ...(end.percent !== undefined && { percent: end.percent }),
      ...(end.result !== undefined && { result: end.result }),
      ...(end.attempt !== undefined && { attempt: end.attempt }),
      ...(end.state === 'failed' && { error: end.message }),
      ...(isOver
        ? { finished_at: now, input: '' }
        : { run_after: (end.runAfter ?? new Date()).toISOString() }),
    },
  )
}

/** Records the end of a run. */
export async function settle(store: Store, id: number, end: End): Promise<void> {
  await store.transaction((tx) => store.write(tx, [endOfJob(id, end)]))
}

async function renew(store: Store, id: number): Promise<void> {
  await store.db
    .updateTable('jobs')
    .set({ lease_until: new Date(Date.now() + leaseMs).toISOString() })
    .where('id', '=', id)
    .execute()
}
