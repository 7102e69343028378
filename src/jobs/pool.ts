import type { ExpressionBuilder } from 'kysely'
import type { Log } from '../core/endpoint.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Feed } from './feed.ts'
import { type BoundKind, leaseMs, longestDelayMs, perform, stopping } from './perform.ts'
import type { JobRow } from './tables.ts'

const workers = 6
const workersOfLane = 2

interface Running {
  readonly kind: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface PoolOptions {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  /** Before the second attempt; doubled before each further one. */
  readonly retryMs: number
  /** Between two attempts to write to a store that refused it. */
  readonly storeRetryMs: number
}

/** Runs due jobs, a few at a time. */
export interface Pool {
  /** Looks for due jobs; also done whenever one was enqueued or has ended. */
  pick(): Promise<void>
  /** Takes the kinds of jobs it may run, and begins. */
  start(kinds: ReadonlyMap<string, BoundKind>): Promise<void>
  abort(id: number, reason: Error): void
  stop(): Promise<void>
}

/** Opens the pool; nothing runs until `start`. */
// oxlint-disable-next-line max-lines-per-function -- binds parts, decides nothing
export function openPool({ store, feed, log, retryMs, storeRetryMs }: PoolOptions): Pool {
  const running = new Map<number, Running>()
  let kinds: ReadonlyMap<string, BoundKind> = new Map()
  const halt = new AbortController()
  let isRefused = false
  let timer: NodeJS.Timeout | undefined
  let picking = Promise.resolve()

  const pick = () => (picking = picking.then(pickDue).then(() => void (isRefused = false), pickAgain))
  const pickAgain = (error: unknown): void => {
    if (!isRefused) log.error({ err: error }, 'picking jobs failed')
    isRefused = true
    clearTimeout(timer)
    if (!halt.signal.aborted) timer = setTimeout(() => void pick(), storeRetryMs)
  }
  const pickDue = async (): Promise<void> => {
    if (halt.signal.aborted || running.size >= workers || kinds.size === 0) return
    const waiting = waitingKinds()
    const row = await claim(store, new Date(), waiting)
    if (row === undefined) return wakeForLater(waiting)
    running.set(row.id, begin(row))
    await pickDue()
  }
  /** The kinds whose lane is full: they are looked at again when one of the running jobs has ended. */
  const waitingKinds = (): readonly string[] => {
    const lanes = [...running.values()].map(({ kind }) => kinds.get(kind)?.kind.lane)
    const isFull = (lane: string | undefined) =>
      lane !== undefined && lanes.filter((each) => each === lane).length >= workersOfLane
    return [...kinds.values()].filter(({ kind }) => isFull(kind.lane)).map(({ kind }) => kind.kind)
  }
  const wakeForLater = async (waiting: readonly string[]) => {
    const next = await queued(store.db, waiting)
      .select('run_after')
      .orderBy('run_after')
      .limit(1)
      .executeTakeFirst()
    clearTimeout(timer)
    if (next && !halt.signal.aborted)
      timer = setTimeout(
        () => void pick(),
        Math.min(Math.max(Date.parse(next.run_after) - Date.now(), 10), 60_000),
      )
  }
  const begin = (row: JobRow): Running => {
    const abort = new AbortController()
    const done = perform({
      store,
      feed,
      log,
      row,
      bound: kinds.get(row.kind),
      abort,
      retryMs,
      storeRetryMs,
      stop: halt.signal,
    })
      .catch((error) => log.error({ err: error, jobId: row.id }, 'settling a job failed'))
      .finally(() => {
        running.delete(row.id)
        void pick()
      })
    return { kind: row.kind, abort, done }
  }
  const stop = async () => {
    halt.abort(stopping)
    clearTimeout(timer)
    await picking // a job that is being claimed must be among those that are ended
    for (const { abort } of running.values()) abort.abort(stopping)
    await Promise.all([...running.values()].map(({ done }) => done))
  }
  return {
    pick,
    start: (known) => ((kinds = known), pick()),
    abort: (id, reason) => running.get(id)?.abort.abort(reason),
    stop,
  }
}

function queued(db: Store['db'], without: readonly string[]) {
  const all = db.selectFrom('jobs').where('state', '=', 'queued')
  return without.length === 0 ? all : all.where('kind', 'not in', without)
}

/** Due is also what would wait longer than a job ever does: the clock was set back meanwhile. */
const isDue = (now: Date) => (eb: ExpressionBuilder<Tables, 'jobs'>) =>
  eb.or([
    eb('run_after', '<=', now.toISOString()),
    eb('run_after', '>', new Date(now.getTime() + longestDelayMs).toISOString()),
  ])

async function claim(store: Store, now: Date, without: readonly string[]): Promise<JobRow | undefined> {
  return store.transaction(async (tx) => {
    const row = await queued(tx, without)
      .selectAll()
      .where(isDue(now))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const lease_until = new Date(now.getTime() + leaseMs).toISOString()
    const set = {
      state: 'running' as const,
      attempt: row.attempt + 1,
      started_at: row.started_at ?? now.toISOString(),
      lease_until,
    }
    await tx.updateTable('jobs').set(set).where('id', '=', row.id).execute()
    return { ...row, ...set }
  })
}
