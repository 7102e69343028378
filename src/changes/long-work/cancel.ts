import { endOfJob } from '../../jobs/perform.ts'
import { appendActivity } from '../activity.ts'
import { entryOf } from '../actor.ts'
import { cancelledEnd } from './ends.ts'
import type { Working } from './working.ts'

const message = 'Cancelled before it started'

/** Ends work that waits, with its change; false where it waits no longer, or is a plain job. */
export async function cancelQueued({ store, ends }: Working, jobId: number): Promise<boolean> {
  const isCancelled = await store.transaction(async (tx) => {
    const row = await tx
      .selectFrom('changes')
      .selectAll()
      .where('job_id', '=', jobId)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    const job = await tx.selectFrom('jobs').select('state').where('id', '=', jobId).executeTakeFirst()
    if (row === undefined || job?.state !== 'queued') return false
    const now = new Date().toISOString()
    const set = {
      state: 'settled',
      outcome: 'cancelled',
      error: message,
      settled_at: now,
      idempotency_key: null,
    }
    await store.write(tx, [
      { write: 'update', table: 'changes', where: { id: row.id }, set },
      endOfJob(jobId, { state: 'cancelled', message }),
    ])
    await appendActivity(store, tx, {
      ...entryOf(row),
      status: 'cancelled',
      message,
      duration_ms: 0,
      change_id: row.id,
      created_at: now,
    })
    return true
  })
  if (isCancelled) ends.tell(jobId, cancelledEnd)
  return isCancelled
}
