import { endOfJob, longestDelayMs, settle } from '../../jobs/perform.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { appendActivity } from '../activity.ts'
import { entryOf } from '../actor.ts'
import { cancelledEnd } from './ends.ts'
import { leftWorkOf, type Working } from './working.ts'

/** The end of work that is cancelled before its change has begun. */
export const cancelledBefore: UnbegunEnd = { state: 'cancelled', message: 'Cancelled before it started' }

/** Cancels queued work together with its change; false if it is no longer queued, or is a plain job. */
export async function cancelQueued(working: Working, jobId: number): Promise<boolean> {
  const isCancelled = await endQueued(working, jobId, cancelledBefore)
  if (isCancelled) working.ends.tell(jobId, cancelledEnd)
  return isCancelled
}

/** Ends queued work whose kind this panel no longer knows: it would never run. */
export async function endUnknown(working: Working): Promise<void> {
  const { store, kindOf } = working
  const rows = await store.db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', 'queued')
    .where('change_id', 'is not', null)
    .execute()
  for (const { id, kind } of rows)
    if (kindOf(kind) === undefined)
      await endQueued(working, id, {
        state: 'failed',
        message: `No area of this panel knows the job ${kind}`,
      })
}

/**
 * Ends work whose turn could neither begin nor end otherwise. Where a bug keeps that from being recorded as usual, it
 * ends without an undo and an entry: as a running job it would keep its callers waiting, and its names taken, for good.
 */
export async function endRunning(working: Working, jobId: number, wanted: UnbegunEnd): Promise<void> {
  const { store, log } = working
  const end: QueuedEnd = { ...wanted, from: 'running' }
  try {
    await endQueued(working, jobId, end)
  } catch (error) {
    if (isDiskProblem(error)) throw error
    log.error({ err: error, jobId }, 'the end of a job could not be undone or entered')
    await endAlone(working, jobId, end).catch((failure: unknown) => {
      if (isDiskProblem(failure)) throw failure
      log.error({ err: failure, jobId }, 'the end of a job could not be stored')
      const runAfter = new Date(Date.now() + longestDelayMs)
      return settle(store, jobId, { state: 'queued', message: 'Waits for its turn again', runAfter })
    })
  }
}

const endAlone = ({ store }: Working, jobId: number, end: QueuedEnd): Promise<unknown> =>
  store.transaction(async (tx) => {
    const row = await queuedChange(tx, jobId, end)
    if (row !== undefined) await writeEnd(store, tx, { ...end, jobId, changeId: row.id, now: new Date() })
  })

interface UnbegunEnd {
  readonly state: 'cancelled' | 'failed'
  readonly message: string
}

interface QueuedEnd extends UnbegunEnd {
  /** The state that the job is in; its change is queued. */
  readonly from?: 'queued' | 'running'
}

async function endQueued(working: Working, jobId: number, end: QueuedEnd): Promise<boolean> {
  const { store } = working
  const { state, message } = end
  await undoLeft(working, jobId)
  return store.transaction(async (tx) => {
    const row = await queuedChange(tx, jobId, end)
    if (row === undefined) return false
    const now = new Date()
    await writeEnd(store, tx, { ...end, jobId, changeId: row.id, now })
    await appendActivity(store, tx, {
      ...entryOf(row),
      status: state,
      message,
      duration_ms: 0,
      change_id: row.id,
      created_at: now.toISOString(),
    })
    return true
  })
}

/** The change of work that has not begun; undefined if its job is in another state. */
async function queuedChange(tx: Tx, jobId: number, { from = 'queued' }: QueuedEnd) {
  const row = await tx
    .selectFrom('changes')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  const job = await tx.selectFrom('jobs').select('state').where('id', '=', jobId).executeTakeFirst()
  return job?.state === from ? row : undefined
}

interface WrittenEnd extends QueuedEnd {
  readonly jobId: number
  readonly changeId: number
  readonly now: Date
}

async function writeEnd(store: Store, tx: Tx, { jobId, changeId, state, message, now }: WrittenEnd) {
  const set = {
    state: 'settled',
    outcome: state,
    error: message,
    settled_at: now.toISOString(),
    idempotency_key: null,
    outbox: null,
  }
  await store.write(tx, [
    { write: 'update', table: 'changes', where: { id: changeId }, set },
    endOfJob(jobId, { state, message }),
  ])
}

/** Before its end is stored, so that a kill in between is repeated by the next cancel or turn. */
async function undoLeft(working: Working, jobId: number): Promise<void> {
  const row = await working.store.db
    .selectFrom('changes')
    .select(['id', 'state', 'work'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  if (row !== undefined) await leftWorkOf(working, row)?.undo()
}
