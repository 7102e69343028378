import type { Change } from '../../core/change.ts'
import type { Store } from '../../store/store.ts'
import type { Order } from '../executor.ts'
import { carriedOutDigest } from '../idempotency.ts'
import { replyOf } from '../settle.ts'
import { forStore, packWork, type Work } from '../work.ts'
import type { ChangeClock } from './clock.ts'

interface Keeping<Reply> {
  readonly store: Store
  readonly order: Order<Reply>
  readonly change: Change<Reply>
  readonly clock: ChangeClock
  readonly work: Work
}

/** Stores that all steps have acted and that the change waits for its confirmation. Returns the reply. */
export async function keepProvisional<Reply>(keeping: Keeping<Reply>): Promise<Reply> {
  const { store, order, change, clock, work } = keeping
  const { changeId, confirmUntil } = clock
  const confirmation = { change_id: changeId, confirm_before: confirmUntil }
  const reply = replyOf(change, work, { jobIds: [], confirmation })
  await clock.assertArmed()
  const set = {
    state: 'provisional' as const,
    work: packWork(store, forStore(work)),
    reply: order.idempotency && order.keepsReply ? JSON.stringify(reply) : null,
    request_digest: order.idempotency ? carriedOutDigest(order.idempotency) : null,
  }
  await store.transaction((tx) => tx.updateTable('changes').set(set).where('id', '=', changeId).execute())
  return reply
}
