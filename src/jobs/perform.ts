import type { Log } from '../core/endpoint.ts'
import type { JobKind, JobRun } from '../core/job.ts'
import { Problem, StoreFailed, Unavailable } from '../core/problem.ts'
import { updateRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { untilWritten } from '../store/until-written.ts'
import type { Feed } from './feed.ts'
import type { JobRow, JobState } from './tables.ts'

/** How long a claim holds without being renewed. */
export const leaseMs = 60_000

/** No job waits longer for its next attempt. */
export const longestDelayMs = 60_000

/** A kind of job with what its runs are handed. */
export interface BoundKind {
  readonly kind: JobKind
  readonly context: object
}

/** One run of a stored job. */
export interface Performance {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  readonly row: JobRow
  readonly bound: BoundKind | undefined
  readonly abort: AbortController
  readonly retryMs: number
  /** Between two attempts to store the end of a job on a full disk. */
  readonly storeRetryMs: number
  /** Ends when the panel stops. */
  readonly stop: AbortSignal
}

/** Why the signal of a job ended. */
export const cancelled = new Error('cancelled')
export const stopping = new Error('the panel is stopping')
const outOfTime = new Error('the time limit was reached')

/** Runs a job that was claimed, and records how it ended. */
export async function perform(performance: Performance): Promise<void> {
  const { store, feed, log, row, bound, abort, retryMs, stop } = performance
  const writer = feed.writer(row.id)
  writer.add({
    type: 'state',
    percent: row.percent,
    message: row.attempt > 1 ? `Started again (attempt ${row.attempt})` : 'Started',
  })
  const limit = setTimeout(() => abort.abort(outOfTime), bound?.kind.timeoutMs ?? 1000)
  const lease = setInterval(
    () =>
      void renew(store, row.id).catch((error) =>
        log.error({ err: error, jobId: row.id }, 'renewing a lease failed'),
      ),
    leaseMs / 3,
  )
  let end: End
  try {
    if (bound === undefined) throw Unavailable(`No area of this panel knows the job ${row.kind}`)
    const run: JobRun<unknown> = {
      input: JSON.parse(store.unseal(row.input)),
      jobId: row.id,
      signal: abort.signal,
      log,
      attempt: row.attempt,
      progress: async (percent, message) =>
        writer.add({
          type: 'progress',
          percent: percent === null ? null : Math.round(Math.min(100, Math.max(0, percent))),
          message: message.slice(0, 2000),
        }),
      output: async (line) => writer.add({ type: 'output', percent: null, message: line.slice(0, 2000) }),
    }
    const result = await bound.kind.run({ ...bound.context, ...run })
    end = { state: 'succeeded', message: 'Done', percent: 100, result: JSON.stringify(result ?? null) }
  } catch (error) {
    end = endOf({ error, row, bound, signal: abort.signal, retryMs, isStopping: stop.aborted })
    if (!isRefusal(error) && !abort.signal.aborted) log.error({ err: error, jobId: row.id }, 'a job failed')
  } finally {
    clearTimeout(limit)
    clearInterval(lease)
  }
  writer.add({ type: 'state', percent: end.percent ?? null, message: end.message })
  await record(performance, writer, end)
}

/** Stores the last events and the end, on a full disk as soon as there is room again. */
async function record(
  { store, log, row, storeRetryMs, stop }: Performance,
  writer: ReturnType<Feed['writer']>,
  end: End,
): Promise<void> {
  const write = async () => {
    await writer.flush()
    await settle(store, row.id, end)
  }
  await untilWritten(write, {
    everyMs: storeRetryMs,
    signal: stop,
    onFull: (error) =>
      log.error({ err: error, jobId: row.id }, 'the end of a job waits for room on the disk'),
  })
  writer.wake() // a reader that saw the last event waits for the word that it was the last
}

/** How a job ended, or that it is to run again. */
export interface End {
  readonly state: JobState
  readonly message: string
  readonly percent?: number
  readonly result?: string
  readonly runAfter?: Date
}

interface Failure extends Pick<Performance, 'row' | 'bound' | 'retryMs'> {
  readonly error: unknown
  readonly signal: AbortSignal
  readonly isStopping: boolean
}

/** A failure that the person who asked for the job can act on; one of the store is a bug like any other. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.kind !== StoreFailed

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
        : `An internal error: the log of the panel names it under job ${row.id}`
  const again = !isRefusal(error) && bound !== undefined && row.attempt < bound.kind.attempts
  if (!again) return { state: 'failed', message }
  return {
    state: 'queued',
    message: `Will be tried again: ${message}`,
    runAfter: new Date(Date.now() + Math.min(retryMs * 2 ** (row.attempt - 1), longestDelayMs)),
  }
}

/** Records the end of a run. */
export async function settle(store: Store, id: number, end: End): Promise<void> {
  const isOver = end.state !== 'queued'
  const now = new Date().toISOString()
  const set = {
    state: end.state,
    message: end.message,
    lease_until: null,
    ...(end.percent !== undefined && { percent: end.percent }),
    ...(end.result !== undefined && { result: end.result }),
    ...(end.state === 'failed' && { error: end.message }),
    ...(isOver ? { finished_at: now } : { run_after: (end.runAfter ?? new Date()).toISOString() }),
  }
  await store.transaction((tx) => store.write(tx, [updateRow('jobs', { id }, set)]))
}

async function renew(store: Store, id: number): Promise<void> {
  await store.db
    .updateTable('jobs')
    .set({ lease_until: new Date(Date.now() + leaseMs).toISOString() })
    .where('id', '=', id)
    .execute()
}
