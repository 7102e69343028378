import type { JobDraft, RowWrite } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import { type AnyJobKind, isWork } from '../core/job.ts'
import type { Store } from '../store/store.ts'
import { jobRow } from './draft.ts'
import { type Feed, openFeed } from './feed.ts'
import { type BoundKind, cancelled, type End, settle } from './perform.ts'
import { type IsFree, openPool } from './pool.ts'
import { openScheduler } from './scheduler.ts'
import { storeDeclared } from './schedules.ts'
import type { JobRow } from './tables.ts'

export { type BoundKind, cancelled, type CarriedRun } from './perform.ts'

const restartsOutlived = 3
const none: Changes = { isFree: () => true, cancelQueued: async () => false, queuedWork: () => undefined }

/** Stored background work: survives a restart, or is reported as interrupted. */
export interface Jobs {
  readonly feed: Feed
  enqueue(draft: JobDraft): Promise<number>
  /** Asks a job to stop; one that has not started never starts. */
  cancel(id: number): Promise<void>
  start(kinds: readonly BoundKind[], changes?: Changes): Promise<void>
  /** Looks for jobs that can start; also done whenever one was enqueued or has ended. */
  pick(): Promise<void>
  /** Ends the running jobs; those that resume are queued again. */
  stop(): Promise<void>
}

/** The interface of the queue to the changes that jobs carry out. */
interface Changes {
  readonly isFree: IsFree
  /** Ends a queued job together with its change; false if it is no longer queued. */
  readonly cancelQueued: (jobId: number) => Promise<boolean>
  /** The writes that queue long work of the panel or a user; undefined for a plain job. */
  readonly queuedWork: (draft: JobDraft, jobId: number) => readonly RowWrite[] | undefined
}

interface JobOptions {
  /** The delay before the second attempt; doubled before each further one. */
  readonly retryMs?: number
  /** The time between two attempts to write to a store that rejected the write. */
  readonly storeRetryMs?: number
}

/** Opens the queue of jobs; nothing runs until `start`. */
export function openJobs(
  store: Store,
  log: Log,
  { retryMs = 10_000, storeRetryMs = 1000 }: JobOptions = {},
): Jobs {
  const feed = openFeed(store)
  const pool = openPool({ store, feed, log, retryMs, storeRetryMs })
  let changes = none
  const enqueue = async (draft: JobDraft) => {
    const id = store.nextId('jobs')
    await store.transaction((tx) => store.write(tx, [jobRow(store, draft, { id, now: new Date() })]))
    return id
  }
  const queue = (draft: JobDraft, id: number) =>
    changes.queuedWork(draft, id) ?? [jobRow(store, draft, { id, now: new Date() })]
  const scheduler = openScheduler({ store, log, now: () => new Date(), queue })
  store.onWritten(['jobs'], () => void pool.pick())
  return {
    feed,
    enqueue,
    pick: pool.pick,
    cancel: async (id) => {
      if (!(await changes.cancelQueued(id))) await cancel(store, id, () => pool.abort(id, cancelled))
      feed.wake(id) // a job that never started has no run that notifies its readers
    },
    start: async (bound, known = none) => {
      changes = known
      const kinds = new Map(bound.map((each) => [each.kind.kind, each]))
      await takeOver(store, kinds)
      await storeDeclared(
        store,
        bound.flatMap(({ kind }) => (isWork(kind) ? [] : [kind])),
      )
      await pool.start(kinds, changes.isFree)
      await scheduler.run()
    },
    stop: async () => {
      await scheduler.stop()
      await pool.stop()
    },
  }
}

/**
 * Handles plain jobs that were running when the panel died: those that resume start again, the others are
 * reported as interrupted.
 */
async function takeOver(store: Store, kinds: ReadonlyMap<string, BoundKind>): Promise<void> {
  const orphans = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'running')
    .where('change_id', 'is', null)
    .execute()
  for (const row of orphans) {
    await settle(store, row.id, afterRestart(row, kinds.get(row.kind)?.kind))
  }
}

/**
 * A restart is not the job's failure, so a few interruptions beyond its attempts are allowed; not endlessly,
 * as the job may be what kills the panel.
 */
export function afterRestart(row: JobRow, kind: Pick<AnyJobKind, 'attempts' | 'resumes'> | undefined): End {
  if (row.is_cancelling === 1) return { state: 'cancelled', message: 'Cancelled' }
  const again = kind?.resumes === true && row.attempt < kind.attempts + restartsOutlived
  return again
    ? { state: 'queued', message: 'Resumes after a restart of the panel' }
    : { state: 'interrupted', message: 'Interrupted by a restart of the panel' }
}

async function cancel(store: Store, id: number, abort: () => void): Promise<void> {
  const now = new Date().toISOString()
  const waiting = await store.db
    .updateTable('jobs')
    .set({ state: 'cancelled', message: 'Cancelled before it started', finished_at: now, input: '' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('change_id', 'is', null)
    .executeTakeFirst()
  if (waiting.numUpdatedRows > 0n) return
  await store.db
    .updateTable('jobs')
    .set({ is_cancelling: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
  abort()
}
