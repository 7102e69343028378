import type { Change, Enqueued } from '../core/change.ts'
import { jobRow } from '../jobs/draft.ts'
import type { Store } from '../store/store.ts'
import { appendActivity } from './activity.ts'
import type { intentRow } from './actor.ts'
import type { Order } from './executor.ts'
import { carriedOutDigest } from './idempotency.ts'

interface Settling<Reply> {
  readonly store: Store
  readonly order: Order<Reply>
  readonly change: Change<Reply>
  readonly changeId: number
  readonly intent: ReturnType<typeof intentRow>
  readonly results: readonly unknown[]
  readonly durationMs: number
}

/** One short transaction: the area's rows, the jobs, the change as settled, the activity entry. Answers the reply. */
export async function settleDone<Reply>(settling: Settling<Reply>): Promise<Reply> {
  const { store, order, change, changeId, intent, results } = settling
  const now = new Date()
  const jobIds = change.jobs.map(() => store.nextId('jobs'))
  const jobs = change.jobs.map((draft, index) => jobRow(store, draft, jobIds[index] as number, now))
  const reply = replyOf(change, { jobIds, results })
  const settled = {
    state: 'settled',
    outcome: 'ok',
    settled_at: now.toISOString(),
    reply: order.idempotency && order.keepsReply ? JSON.stringify(reply) : null,
    request_digest: order.idempotency ? carriedOutDigest(order.idempotency) : null,
  }
  await store.transaction(async (tx) => {
    if (change.steps.length === 0)
      await store.write(tx, [{ write: 'insert', table: 'changes', values: { ...intent, ...settled } }])
    else await store.write(tx, [{ write: 'update', table: 'changes', where: { id: changeId }, set: settled }])
    await store.write(tx, [...change.rows, ...jobs])
    const duration_ms = Math.round(settling.durationMs)
    await appendActivity(store, tx, {
      ...order.actor.entry,
      status: 'ok',
      message: change.summary.slice(0, 500),
      duration_ms,
      change_id: changeId,
      created_at: now.toISOString(),
    })
  })
  return reply
}

function replyOf<Reply>(change: Change<Reply>, done: Enqueued): Reply {
  return typeof change.reply === 'function' ? (change.reply as (done: Enqueued) => Reply)(done) : change.reply
}
