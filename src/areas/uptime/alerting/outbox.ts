import { Semaphore } from '../../../core/semaphore.ts'
import { recipientsOf, recordAlerts, send } from './alerts.ts'
import { headlineOf, linesOf, type Outbreak } from './outbreak.ts'
import type { Uptime } from '../parts.ts'
import { alerts, notices } from './store.ts'

/** Alerts wait for monitors that have failed once and until no more arrive, so that those that fail together are told of together. */
const longestHoldMs = 90_000
const quietMs = 2000
const confirmedWithinMs = 60_000
const mostAtOnce = 20_000
const lanes = 8
const mostRead = 100

/** Sends the alerts that are due, grouped by what happened and by who is told, and notifies superusers. */
export async function sendDue(on: Uptime, stopping: AbortSignal): Promise<void> {
  const pending = await on.queries.pendingAlerts(mostAtOnce)
  const [first, last] = [pending[0], pending.at(-1)]
  if (first === undefined || last === undefined) return
  const now = Date.now()
  const mayWait = now - Date.parse(first.happened_at) < longestHoldMs
  if (mayWait && now - Date.parse(last.happened_at) < quietMs) return
  if (mayWait && (await on.queries.hasUnconfirmed(new Date(now + confirmedWithinMs)))) return
  for (const [event, group] of Map.groupBy(pending, ({ event_type }) => event_type))
    await tell(on, { event, group }, stopping)
}

/** What is sent twice after a kill is better than what is never sent: the alerts are removed at the end. */
async function tell(on: Uptime, { event, group }: Outbreak, stopping: AbortSignal): Promise<void> {
  await notify(on, { event, group })
  const free = new Semaphore(lanes)
  const byRecipient = Map.groupBy(
    group.flatMap((alert) => recipientsOf(on, alert).map((recipient) => ({ recipient, alert }))),
    ({ recipient }) => recipient.key,
  )
  const sending = [...byRecipient.values()].flatMap((parts) => {
    const [first] = parts
    if (first === undefined) return []
    const sent = { recipient: first.recipient, alerts: parts.map(({ alert }) => alert) }
    return [free.run(() => send(sent, stopping), { signal: stopping })]
  })
  const outcomes = (await Promise.all(sending)).flat()
  await on.store.transaction(async (tx) => {
    await recordAlerts(on, tx, outcomes)
    await on.store.write(
      tx,
      group.map(({ alert_id: id }) => alerts.delete({ id })),
    )
  })
}

/** An outbreak that was told of before a kill is in the notices already. */
async function notify({ store, queries }: Uptime, outbreak: Outbreak): Promise<void> {
  const [title, message] = [headlineOf(outbreak).slice(0, 300), linesOf(outbreak).slice(0, 4000)]
  const created_at = outbreak.group.at(-1)?.happened_at ?? new Date().toISOString()
  const told = await queries.notices(new Date(Date.parse(created_at) - 1), mostRead)
  if (told.some((each) => each.title === title && each.created_at === created_at)) return
  const row = { id: store.nextId(notices.name), event_type: outbreak.event, title, message, created_at }
  await store.transaction((tx) => store.write(tx, [notices.insert(notices.row(row))]))
}
