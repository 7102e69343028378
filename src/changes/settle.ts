import type { Change, Enqueued } from '../core/change.ts'
import type { Store } from '../store/store.ts'
import { appendActivity } from './activity.ts'
import type { intentRow } from './actor.ts'
import type { Order } from './executor.ts'
import { followUps } from './follow-ups.ts'
import { outboxWrites } from './outbox.ts'
import { fillGaps, takeGaps } from '../core/gaps.ts'
import { carriedOutDigest } from './idempotency.ts'
import { writeUndoable } from './undo-by-id/settled.ts'
import { fillRest, kindsOf, type Work } from './work.ts'

interface Settling<Reply> {
  readonly store: Store
  readonly order: Order<Reply>
  readonly change: Change<Reply>
  readonly changeId: number
  readonly intent: ReturnType<typeof intentRow>
  /** Includes the results of the steps. */
  readonly work: Work
  readonly durationMs: number
  readonly isWork: (kind: string) => boolean
}

interface Settled<Reply> {
  readonly reply: Reply
  /** The activity entry; absent where another entry tells of the change. */
  readonly activityId?: number
  /** True if it can be undone by the id of its entry. */
  readonly isUndoable: boolean
}

/**
 * Settles a change in one short transaction: the area's rows, the jobs, the change with its job, the activity
 * entry. Returns the reply and the id of the entry.
 */
export async function settleDone<Reply>(settling: Settling<Reply>): Promise<Settled<Reply>> {
  const { store, order, change, changeId, intent } = settling
  const { carrier } = order
  const now = new Date()
  const work = fillRest(settling.work)
  const { entry } = order.actor
  const { jobIds, writes } = followUps(store, work.jobs, { entry, now, isWork: settling.isWork })
  const reply = replyOf(change, settling.work, { jobIds })
  const settled = {
    state: 'settled',
    outcome: 'ok',
    settled_at: now.toISOString(),
    outbox: null,
    reply: order.idempotency && order.keepsReply ? JSON.stringify(reply) : null,
    ...(carrier === undefined && {
      request_digest: order.idempotency ? carriedOutDigest(order.idempotency) : null,
    }),
  }
  const result = order.keepsReply ? reply : null
  const isRecorded = change.isRecorded?.(settling.work.steps.map((each) => each.result)) ?? true
  const kinds = kindsOf(change)
  const ended = await store.transaction(async (tx) => {
    const undo = await writeUndoable(store, tx, { work, kinds })
    const set = { ...settled, ...undo }
    if (change.steps.length === 0 && carrier === undefined)
      await store.write(tx, [{ write: 'insert', table: 'changes', values: { ...intent, ...set } }])
    else await store.write(tx, [{ write: 'update', table: 'changes', where: { id: changeId }, set }])
    await store.write(tx, [...writes, ...outboxWrites(store, order.actor, now)])
    if (carrier) await store.write(tx, [carrier.end({ state: 'succeeded', message: 'Done', result })])
    if (!isRecorded) return { isUndoable: false }
    const activityId = await appendActivity(store, tx, {
      ...order.actor.entry,
      status: 'ok',
      message: change.summary.slice(0, 500),
      duration_ms: Math.round(settling.durationMs),
      change_id: changeId,
      created_at: now.toISOString(),
    })
    return { activityId, isUndoable: undo.not_undone === null }
  })
  return { reply, ...ended }
}

/** Makes the reply of a change whose steps have acted. */
export function replyOf<Reply>(
  change: Change<Reply>,
  work: Work,
  known: Pick<Enqueued, 'jobIds' | 'confirmation'>,
): Reply {
  const { reply } = change
  const results = work.steps.map(({ result }) => result)
  if (isMade(reply)) return reply({ ...known, results })
  const { value, gaps } = takeGaps(reply, change.steps)
  return fillGaps(value, gaps, results)
}

const isMade = <Reply>(reply: Change<Reply>['reply']): reply is (done: Enqueued) => Reply =>
  typeof reply === 'function'
