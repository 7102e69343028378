import type { Change } from '../core/change.ts'
import type { ActivityEntry } from './activity.ts'
import type { ChangeRow } from './tables.ts'
import type { Order } from './executor.ts'

/** Who asked for a change, and what the records say of the request. */
export interface Actor {
  readonly entry: Pick<
    ActivityEntry,
    'action' | 'user_id' | 'key_id' | 'ip' | 'method' | 'path' | 'request' | 'request_id'
  >
}

interface Intent {
  readonly id: number
  readonly change: Change
  readonly order: Order<any>
  readonly work: string
}

/** The row that says what is about to happen. */
export function intentRow({
  id,
  change,
  order,
  work,
}: Intent): Record<keyof ChangeRow, string | number | null> {
  return {
    id,
    summary: change.summary.slice(0, 500),
    ...order.actor.entry,
    state: 'intended',
    outcome: null,
    locks: JSON.stringify(change.locks),
    work,
    idempotency_key: order.idempotency?.key ?? null,
    request_digest: order.idempotency?.digest ?? null,
    reply: null,
    error: null,
    created_at: new Date().toISOString(),
    settled_at: null,
  }
}
