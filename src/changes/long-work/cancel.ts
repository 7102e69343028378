import { endOfJob } from '../../jobs/perform.ts'
import { appendActivity } from '../activity.ts'
import { entryOf } from '../actor.ts'
import { cancelledEnd } from './ends.ts'
import { leftWorkOf, type Working } from './working.ts'

/** Cancels queued work together with its change; false if it is no longer queued, or is a plain job. */
export async function cancelQueued(working: Working, jobId: number): Promise<boolean> {
  const message = 'Cancelled before it started'
  const isCancelled = await endQueued(working, jobId, { state: 'cancelled', message })
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

/** Ends work as failed whose turn could neither begin nor end otherwise. */
export const endRunning = (working: Working, jobId: number, message: string): Promise<boolean> =>
  endQueued(working, jobId, { state: 'failed', message, from: 'running' })

interface QueuedEnd {
  readonly state: 'cancelled' | 'failed'
  readonly message: string
  /** The state that the job is in; its change is queued. */
  readonly from?: 'queued' | 'running'
}

async function endQueued(
  working: Working,
  jobId: number,
  { state, message, from = 'queued' }: QueuedEnd,
): Promise<boolean> {
  const { store } = working
  await undoLeft(working, jobId)
  return store.transaction(async (tx) => {
    const row = await tx
      .selectFrom('changes')
      .selectAll()
      .where('job_id', '=', jobId)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    const job = await tx.selectFrom('jobs').select('state').where('id', '=', jobId).executeTakeFirst()
    if (row === undefined || job?.state !== from) return false
    const now = new Date().toISOString()
    const set = {
      state: 'settled',
      outcome: state,
      error: message,
      settled_at: now,
      idempotency_key: null,
      outbox: null,
    }
    await store.write(tx, [
      { write: 'update', table: 'changes', where: { id: row.id }, set },
      endOfJob(jobId, { state, message }),
    ])
    await appendActivity(store, tx, {
      ...entryOf(row),
      status: state,
      message,
      duration_ms: 0,
      change_id: row.id,
      created_at: now,
    })
    return true
  })
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
