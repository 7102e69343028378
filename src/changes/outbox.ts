import type { RowWrite } from '../core/change.ts'
import type { Store } from '../store/store.ts'
import type { Actor } from './actor.ts'

/** Returns the writes of an outbox. Their ids ascend in the order in which the changes are settled. */
export function outboxWrites(store: Store, { outbox = [] }: Actor, now: Date): readonly RowWrite[] {
  return outbox.map((each) =>
    each.write === 'insert'
      ? { ...each, values: { ...each.values, id: store.nextId(each.table), created_at: now.toISOString() } }
      : each,
  )
}
