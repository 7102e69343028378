import { Cron } from 'croner'
import type { JobDraft } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import type { JobKind, JobRun } from '../core/job.ts'
import { Problem, Unavailable } from '../core/problem.ts'
import { updateRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { jobRow } from './draft.ts'
import { type Feed, openFeed } from './feed.ts'
import type { JobRow, JobState } from './tables.ts'

const workers = 4
const leaseMs = 60_000
const restartsOutlived = 3

/** A kind of job with what its runs are handed. */
export interface BoundKind {
  readonly kind: JobKind
  readonly context: object
}

/** Stored background work: survives a restart, or is reported as interrupted. */
export interface Jobs {
  readonly feed: Feed
  enqueue(draft: JobDraft): Promise<number>
  /** Asks a job to stop; one that has not started never will. */
  cancel(id: number): Promise<void>
  start(kinds: readonly BoundKind[]): Promise<void>
  /** Ends the running jobs; those that resume are queued again. */
  stop(): Promise<void>
}

interface Running {
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface JobOptions {
  /** Before the second attempt; doubled before each further one. */
  readonly retryMs?: number
}

/** Opens the queue of jobs; nothing runs until `start`. */
export function openJobs(store: Store, log: Log, { retryMs = 10_000 }: JobOptions = {}): Jobs {
  const feed = openFeed(store)
  const running = new Map<number, Running>()
  const schedules: Cron[] = []
  let kinds = new Map<string, BoundKind>()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let picking = Promise.resolve()

  const pick = () => (picking = picking.then(pickDue).catch((error) => log.error({ err: error }, 'picking jobs failed')))
  const pickDue = async () => {
    if (isStopping || running.size >= workers || kinds.size === 0) return
    const row = await claim(store, new Date())
    if (row === undefined) return wakeForLater()
    running.set(row.id, begin(row))
    await pickDue()
  }
  const wakeForLater = async () => {
    const next = await store.db.selectFrom('jobs').select('run_after').where('state', '=', 'queued').orderBy('run_after').limit(1).executeTakeFirst()
    clearTimeout(timer)
    if (next && !isStopping) timer = setTimeout(() => void pick(), Math.min(Math.max(Date.parse(next.run_after) - Date.now(), 10), 60_000))
  }
  const begin = (row: JobRow): Running => {
    const abort = new AbortController()
    const done = perform({ store, feed, log, row, bound: kinds.get(row.kind), abort, retryMs, isStopping: () => isStopping })
      .catch((error) => log.error({ err: error, jobId: row.id }, 'settling a job failed'))
      .finally(() => {
        running.delete(row.id)
        void pick()
      })
    return { abort, done }
  }
  const enqueue = async (draft: JobDraft) => {
    const id = store.nextId('jobs')
    await store.transaction((tx) => store.write(tx, [jobRow(store, draft, id, new Date())]))
    return id
  }
  store.onWritten(['jobs'], () => void pick())
  return {
    feed,
    enqueue,
    cancel: async (id) => {
      await cancel(store, id, () => running.get(id)?.abort.abort(cancelled))
      feed.wake(id) // one that never started has nobody else to tell its readers
    },
    start: async (bound) => {
      kinds = new Map(bound.map((each) => [each.kind.kind, each]))
      await takeOver(store, kinds)
      for (const { kind } of bound) if (kind.schedule) schedules.push(scheduled(kind, enqueue, log))
      await pick()
    },
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      for (const schedule of schedules) schedule.stop()
      await picking // a job that is being claimed must be among those that are ended
      for (const { abort } of running.values()) abort.abort(stopping)
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

const cancelled = new Error('cancelled')
const stopping = new Error('the panel is stopping')
const outOfTime = new Error('the time limit was reached')

function scheduled(kind: JobKind, enqueue: (draft: JobDraft) => Promise<number>, log: Log): Cron {
  const draft = { kind: kind.kind, input: {}, ownerId: null, title: kind.kind }
  const failed = (error: unknown) => log.error({ err: error, kind: kind.kind }, 'enqueuing a scheduled job failed')
  return new Cron(kind.schedule as string, { timezone: 'UTC', protect: true, unref: true, catch: failed }, async () => void (await enqueue(draft)))
}

async function claim(store: Store, now: Date): Promise<JobRow | undefined> {
  return store.transaction(async (tx) => {
    const row = await tx.selectFrom('jobs').selectAll().where('state', '=', 'queued').where('run_after', '<=', now.toISOString()).orderBy('id').limit(1).executeTakeFirst()
    if (row === undefined) return undefined
    const lease_until = new Date(now.getTime() + leaseMs).toISOString()
    const set = { state: 'running' as const, attempt: row.attempt + 1, started_at: row.started_at ?? now.toISOString(), lease_until }
    await tx.updateTable('jobs').set(set).where('id', '=', row.id).execute()
    return { ...row, ...set }
  })
}

/** Jobs that ran when the panel died: those that resume start again, the others are reported as interrupted. */
async function takeOver(store: Store, kinds: ReadonlyMap<string, BoundKind>): Promise<void> {
  const orphans = await store.db.selectFrom('jobs').selectAll().where('state', '=', 'running').execute()
  for (const row of orphans) {
    await settle(store, row.id, afterRestart(row, kinds.get(row.kind)?.kind))
  }
}

/** A restart is not the job's failure, so it may outlive a few more than its attempts; not endlessly, as it may be what kills the panel. */
function afterRestart(row: JobRow, kind: JobKind | undefined): End {
  if (row.is_cancelling === 1) return { state: 'cancelled', message: 'Cancelled' }
  const again = kind?.resumes === true && row.attempt < kind.attempts + restartsOutlived
  return again ? { state: 'queued', message: 'Resumes after a restart of the panel' } : { state: 'interrupted', message: 'Interrupted by a restart of the panel' }
}

async function cancel(store: Store, id: number, abort: () => void): Promise<void> {
  const now = new Date().toISOString()
  const waiting = await store.db
    .updateTable('jobs')
    .set({ state: 'cancelled', message: 'Cancelled before it started', finished_at: now })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  if (waiting.numUpdatedRows > 0n) return
  await store.db.updateTable('jobs').set({ is_cancelling: 1 }).where('id', '=', id).where('state', '=', 'running').execute()
  abort()
}

interface Performance {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  readonly row: JobRow
  readonly bound: BoundKind | undefined
  readonly abort: AbortController
  readonly retryMs: number
  readonly isStopping: () => boolean
}

async function perform({ store, feed, log, row, bound, abort, retryMs, isStopping }: Performance): Promise<void> {
  const writer = feed.writer(row.id)
  writer.add({ type: 'state', percent: row.percent, message: row.attempt > 1 ? `Started again (attempt ${row.attempt})` : 'Started' })
  const limit = setTimeout(() => abort.abort(outOfTime), bound?.kind.timeoutMs ?? 1000)
  const lease = setInterval(() => void renew(store, row.id).catch((error) => log.error({ err: error, jobId: row.id }, 'renewing a lease failed')), leaseMs / 3)
  let end: End
  try {
    if (bound === undefined) throw Unavailable(`No area of this panel knows the job ${row.kind}`)
    const run: JobRun<unknown> = {
      input: JSON.parse(store.unseal(row.input)),
      jobId: row.id,
      signal: abort.signal,
      log,
      attempt: row.attempt,
      progress: async (percent, message) => writer.add({ type: 'progress', percent: percent === null ? null : Math.round(Math.min(100, Math.max(0, percent))), message: message.slice(0, 2000) }),
      output: async (line) => writer.add({ type: 'output', percent: null, message: line.slice(0, 2000) }),
    }
    const result = await bound.kind.run({ ...bound.context, ...run })
    end = { state: 'succeeded', message: 'Done', percent: 100, result: JSON.stringify(result ?? null) }
  } catch (error) {
    end = endOf({ error, row, bound, signal: abort.signal, retryMs, isStopping: isStopping() })
    if (!(error instanceof Problem) && !abort.signal.aborted) log.error({ err: error, jobId: row.id }, 'a job failed')
  } finally {
    clearTimeout(limit)
    clearInterval(lease)
  }
  writer.add({ type: 'state', percent: end.percent ?? null, message: end.message })
  await writer.flush()
  await settle(store, row.id, end)
  writer.wake() // a reader that saw the last event waits for the word that it was the last
}

interface End {
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

function endOf({ error, row, bound, signal, retryMs, isStopping }: Failure): End {
  if (signal.reason === cancelled) return { state: 'cancelled', message: 'Cancelled' }
  if (isStopping) return bound?.kind.resumes ? { state: 'queued', message: 'Resumes at the next start' } : { state: 'interrupted', message: 'Interrupted: the panel stopped' }
  const message = signal.reason === outOfTime ? 'The time limit was reached' : error instanceof Problem ? error.message : `An internal error: the log of the panel names it under job ${row.id}`
  const again = !(error instanceof Problem) && bound !== undefined && row.attempt < bound.kind.attempts
  if (!again) return { state: 'failed', message }
  return { state: 'queued', message: `Will be tried again: ${message}`, runAfter: new Date(Date.now() + retryMs * 2 ** (row.attempt - 1)) }
}

async function settle(store: Store, id: number, end: End): Promise<void> {
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
  await store.db.updateTable('jobs').set({ lease_until: new Date(Date.now() + leaseMs).toISOString() }).where('id', '=', id).execute()
}
