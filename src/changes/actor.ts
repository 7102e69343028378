import type { Change, RowWrite } from '../core/change.ts'
import type { ActivityEntry } from './activity.ts'
import type { ChangeRow } from './tables.ts'
import type { Order } from './executor.ts'
import type { Idempotency } from './idempotency.ts'

/** The caller of a change, and the fields of its request for the activity log. */
export interface Actor {
  readonly entry: Pick<
    ActivityEntry,
    'action' | 'user_id' | 'key_id' | 'mcp_key_id' | 'ip' | 'method' | 'path' | 'request' | 'request_id'
  >
  /** Inserts of the transaction that settles the change, for other panels to repeat it; none if it fails. */
  readonly outbox?: readonly RowWrite[]
}

interface Intent {
  readonly id: number
  readonly change: Change
  readonly order: Order<any>
  readonly work: string
  readonly confirmUntil: string | undefined
}

/** The row that records a change before it acts. */
export function intentRow({
  id,
  change,
  order,
  work,
  confirmUntil,
}: Intent): Record<keyof ChangeRow, string | number | null> {
  return {
    id,
    summary: change.summary.slice(0, 500),
    mcp_key_id: null,
    ...order.actor.entry,
    state: 'intended',
    outcome: null,
    job_id: order.carrier?.jobId ?? null,
    confirm_until: confirmUntil ?? null,
    locks: JSON.stringify(change.locks),
    work,
    idempotency_key: order.idempotency?.key ?? null,
    request_digest: order.idempotency?.digest ?? null,
    reply: null,
    error: null,
    created_at: new Date().toISOString(),
    settled_at: null,
    not_undone: null,
    undone_at: null,
    outbox: order.carrier ? null : storedOutbox(order.actor),
  }
}

interface Queued {
  readonly id: number
  readonly jobId: number
  readonly change: Pick<Change, 'summary' | 'locks'>
  readonly actor: Actor
  readonly idempotency: Idempotency | undefined
  readonly now: Date
}

/** The row of a change whose job is queued. */
export function queuedRow({
  id,
  jobId,
  change,
  actor,
  idempotency,
  now,
}: Queued): Record<keyof ChangeRow, string | number | null> {
  return {
    id,
    summary: change.summary.slice(0, 500),
    mcp_key_id: null,
    ...actor.entry,
    state: 'queued',
    outcome: null,
    job_id: jobId,
    confirm_until: null,
    locks: JSON.stringify(change.locks),
    work: null,
    idempotency_key: idempotency?.key ?? null,
    request_digest: idempotency?.digest ?? null,
    reply: null,
    error: null,
    created_at: now.toISOString(),
    settled_at: null,
    not_undone: null,
    undone_at: null,
    outbox: storedOutbox(actor),
  }
}

const storedOutbox = ({ outbox = [] }: Actor): string | null =>
  outbox.length === 0 ? null : JSON.stringify(outbox)

/** The caller of a stored change, and what it puts into the outbox. */
export function actorOf(row: ChangeRow): Actor {
  return { entry: entryOf(row), outbox: row.outbox === null ? [] : JSON.parse(row.outbox) }
}

/** The fields of a change's row for its activity entry. */
export function entryOf({
  action,
  user_id,
  key_id,
  mcp_key_id,
  ip,
  method,
  path,
  request,
  request_id,
}: ChangeRow): Actor['entry'] {
  return { action, user_id, key_id, mcp_key_id, ip, method, path, request, request_id }
}
