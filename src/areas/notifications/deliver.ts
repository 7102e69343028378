import type { Log } from '../../core/endpoint.ts'
import { pause } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'
import { findUser, type Users } from '../users/index.ts'
import { reasonOf, ReceiverGone, send, type Sending } from './send.ts'
import {
  channels,
  deliveries,
  type DeliveryQueries,
  type DeliveryRow,
  type NotificationQueries,
} from './store.ts'

/** The delays before the second and later attempts, in seconds; then a delivery has failed. */
const delays = [30, 300, 1800, 7200, 28_800]
const longestIdleMs = 60_000

export interface Delivering {
  readonly store: Store
  readonly queries: NotificationQueries
  readonly deliveries: DeliveryQueries
  readonly users: Users
  readonly sending: Sending
  readonly log: Log
  readonly now?: () => Date
}

/** Attempts the deliveries that are due, each once. */
export async function deliverDue(on: Delivering, signal: AbortSignal): Promise<void> {
  const due = await on.deliveries.due((on.now ?? (() => new Date()))())
  await Promise.all(due.map((row) => attempt(on, row, signal)))
}

async function attempt(on: Delivering, row: DeliveryRow, signal: AbortSignal): Promise<void> {
  const now = on.now ?? (() => new Date())
  const channel = await on.queries.channel(row.channel_id)
  const user = await findUser(on.users, row.user_id)
  if (channel === undefined || user === undefined) return // deleted together with their deliveries
  const attempts = row.attempts + 1
  try {
    if (user.is_suspended === 1) throw new ReceiverGone('the user is suspended')
    await send(on.sending, channel, user, { ...row, id: `delivery_${row.id}` }, signal)
    await write(on, row, { state: 'sent', attempts, error: '', finished_at: now().toISOString() })
  } catch (error) {
    if (signal.aborted) return // the panel stops: attempted again after its start
    if (!(error instanceof Problem || error instanceof ReceiverGone))
      on.log.error({ err: error, delivery: row.id }, 'a delivery failed')
    const delay = error instanceof ReceiverGone ? undefined : delays[row.attempts]
    const reason = reasonOf(error)
    if (delay === undefined)
      await write(on, row, { state: 'failed', attempts, error: reason, finished_at: now().toISOString() })
    else
      await write(on, row, {
        attempts,
        error: reason,
        next_at: new Date(now().getTime() + delay * 1000).toISOString(),
      })
    if (error instanceof ReceiverGone && user.is_suspended === 0)
      await on.store.transaction((tx) =>
        on.store.write(tx, [channels.update(channel, { is_enabled: false })]),
      )
  }
}

type Outcome = Parameters<typeof deliveries.update>[1]

const write = ({ store }: Delivering, row: DeliveryRow, set: Outcome) =>
  store.transaction((tx) => store.write(tx, [deliveries.update(row, set)]))

/** Attempts deliveries when they are due, until it is stopped. */
export function watchDeliveries(on: Delivering): { wake(): void; stop(): Promise<void> } {
  const stopping = new AbortController()
  let woken = Promise.withResolvers<void>()
  const run = async () => {
    while (!stopping.signal.aborted) {
      const next = woken.promise // taken before the reading, so that nothing is missed in between
      await deliverDue(on, stopping.signal).catch((error: unknown) =>
        on.log.error({ err: error }, 'reading the deliveries failed'),
      )
      await Promise.race([next, pause(await untilDue(on), stopping.signal)])
    }
  }
  const running = run()
  const wake = () => {
    woken.resolve()
    woken = Promise.withResolvers()
  }
  return {
    wake,
    stop: async () => {
      stopping.abort()
      wake()
      await running
    },
  }
}

async function untilDue({ deliveries: stored, now = () => new Date() }: Delivering): Promise<number> {
  const next = await stored.nextDue().catch(() => undefined)
  const waitMs = next === undefined ? longestIdleMs : Date.parse(next) - now().getTime()
  return Math.min(Math.max(waitMs, 500), longestIdleMs)
}
