import type { ExpressionBuilder } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../core/endpoint.ts'
import { storedLocks } from '../core/lock.ts'
import type { Tx } from '../store/database.ts'
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

/** True if none of the names that a job needs is held. */
export type IsFree = (names: readonly string[]) => boolean

interface PoolOptions {
  readonly store: Store
  readonly feed: Feed
  readonly log: Log
  /** The delay before the second attempt; doubled before each further one. */
  readonly retryMs: number
  /** The time between two attempts to write to a store that rejected the write. */
  readonly storeRetryMs: number
}

/** Runs due jobs, a few at a time. */
export interface Pool {
  /** Looks for due jobs; also done whenever one was enqueued or has ended. */
  pick(): Promise<void>
  /** Registers the kinds of jobs that it runs, and begins. */
  start(kinds: ReadonlyMap<string, BoundKind>, isFree: IsFree): Promise<void>
  abort(id: number, reason: Error): void
  stop(): Promise<void>
}

/** Opens the pool; nothing runs until `start`. */
// oxlint-disable-next-line max-lines-per-function -- binds parts, decides nothing
export function openPool({ store, feed, log, retryMs, storeRetryMs }: PoolOptions): Pool {
  const running = new Map<number, Running>()
  let kinds: ReadonlyMap<string, BoundKind> = new Map()
  let isFree: IsFree = () => true
  // a job must not inherit the async context of the step or request that enqueued it
  const inPanel = AsyncLocalStorage.snapshot()
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
    const now = new Date()
    const row = await claim(store, now, { without: waitingKinds(), isFree })
    if (row === undefined) return wakeForLater(now)
    running.set(row.id, inPanel(begin, row))
    await pickDue()
  }
  /** The kinds whose lane is full: they are checked again when a running job has ended. */
  const waitingKinds = (): readonly string[] => {
    const lanes = [...running.values()].map(({ kind }) => kinds.get(kind)?.kind.lane)
    const isFull = (lane: string | undefined) =>
      lane !== undefined && lanes.filter((each) => each === lane).length >= workersOfLane
    return [...kinds.values()].filter(({ kind }) => isFull(kind.lane)).map(({ kind }) => kind.kind)
  }
  /** Due jobs that are held back are checked again when a job ends or a name is released. */
  const wakeForLater = async (now: Date) => {
    const next = await store.db
      .selectFrom('jobs')
      .select('run_after')
      .where('state', '=', 'queued')
      .where('run_after', '>', now.toISOString())
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
    const isOwn = () => running.get(row.id)?.abort === abort // it may have been queued and claimed again meanwhile
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
        if (isOwn()) running.delete(row.id)
        void pick()
      })
    return { kind: row.kind, abort, done }
  }
  const stop = async () => {
    halt.abort(stopping)
    clearTimeout(timer)
    await picking // a job that is being claimed must be aborted too
    for (const { abort } of running.values()) abort.abort(stopping)
    await Promise.all([...running.values()].map(({ done }) => done))
  }
  return {
    pick,
    start: (known, free) => {
      kinds = known
      isFree = free
      return pick()
    },
    abort: (id, reason) => running.get(id)?.abort.abort(reason),
    stop,
  }
}

/** A job that would wait longer than the maximum delay is also due: the clock was set back meanwhile. */
const isDueAt = (runAfter: string, now: Date): boolean =>
  runAfter <= now.toISOString() || runAfter > new Date(now.getTime() + longestDelayMs).toISOString()

const isDue = (now: Date) => (eb: ExpressionBuilder<Tables, 'jobs'>) =>
  eb.or([
    eb('run_after', '<=', now.toISOString()),
    eb('run_after', '>', new Date(now.getTime() + longestDelayMs).toISOString()),
  ])

interface Claiming {
  /** Kinds that must wait because their lane is full. */
  readonly without: readonly string[]
  readonly isFree: IsFree
}

/** The maximum number of waiting jobs that are examined at once. */
const mostCandidates = 500

async function claim(store: Store, now: Date, claiming: Claiming): Promise<JobRow | undefined> {
  return store.transaction(async (tx) => {
    const id = await firstThatCanStart(tx, now, claiming)
    if (id === undefined) return undefined
    const row = await tx.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
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

/**
 * The oldest due job whose locks are free, used by no running job, and needed by no older waiting one, which may wait for its next
 * attempt: nothing else is due later.
 */
async function firstThatCanStart(
  tx: Tx,
  now: Date,
  { without, isFree }: Claiming,
): Promise<number | undefined> {
  const named = tx.selectFrom('jobs').select('locks').where('locks', 'is not', null)
  const running = await named.where('state', '=', 'running').execute()
  const taken = new Set(running.flatMap(({ locks }) => storedLocks(locks)))
  const waiting = await tx
    .selectFrom('jobs')
    .select(['id', 'kind', 'locks', 'run_after'])
    .where('state', '=', 'queued')
    .where((eb) => eb.or([isDue(now)(eb), eb('locks', 'is not', null)]))
    .orderBy('id')
    .limit(mostCandidates)
    .execute()
  for (const { id, kind, locks, run_after } of waiting) {
    const names = storedLocks(locks)
    const canStart = isDueAt(run_after, now) && !without.includes(kind) && isFree(names)
    if (canStart && !names.some((name) => taken.has(name))) return id
    for (const name of names) taken.add(name)
  }
  return undefined
}
