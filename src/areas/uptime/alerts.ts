import { Problem } from '../../core/problem.ts'
import { portOf, readUrl } from '../../host/fetch/index.ts'
import { askWeb } from '../../host/reach/index.ts'
import type { Uptime } from './parts.ts'
import { history, type MonitorRow, recordingQueries, type StateRow } from './store.ts'

/** What an alert tells. */
export interface Alert {
  readonly row: MonitorRow
  readonly event: 'down' | 'up'
  readonly state: StateRow
}

const limitMs = 20_000

/** Sends the alerts of a monitor; how each went is in its history. */
export async function sendAlerts(on: Uptime, alert: Alert, stopping: AbortSignal): Promise<void> {
  const { alert_email: email, alert_webhook: webhook } = alert.row
  const sending = [
    ...(email === '' ? [] : [{ to: `e-mail to ${email}`, send: sendMail }]),
    ...(webhook === '' ? [] : [{ to: 'webhook', send: callWebhook }]),
  ]
  for (const { to, send } of sending) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)])
    const failure = await send(on, alert, signal).then(
      () => undefined,
      (error: unknown) => {
        stopping.throwIfAborted()
        return signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error)
      },
    )
    await record(on, alert, failure === undefined ? `${to}: sent` : `${to}: ${failure}`)
  }
}

async function sendMail(on: Uptime, { row, event, state }: Alert, signal: AbortSignal): Promise<void> {
  const host = on.hostname()
  const cause = event === 'down' ? `: ${state.last_error}` : ''
  await on.mail.send({
    server: on.smtpUrl,
    from: on.sender === '' ? `hostreeve@${host}` : on.sender,
    to: row.alert_email,
    subject: `[${host}] ${row.name} is ${event}`,
    text: `${row.name} (${row.target}) is ${event}${cause}\n\nChecked at ${state.last_check} from ${host}.\n`,
    signal,
  })
}

async function callWebhook(on: Uptime, { row, event, state }: Alert, signal: AbortSignal): Promise<void> {
  const url = readUrl(row.alert_webhook)
  const { status } = await askWeb({
    url,
    pinned: await on.addresses.resolveAllowed(url.hostname, portOf(url), { isAdmin: true }, signal),
    method: 'POST',
    isUnverified: row.webhook_skip_ssl === 1,
    maxBytes: 0,
    text: JSON.stringify({
      monitor: { id: row.id, name: row.name, type: row.type, target: row.target },
      event_type: event,
      status: state.last_status,
      response_time: state.last_response_time,
      error: state.last_error,
      created_at: state.last_check,
    }),
    signal,
  })
  if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`)
}

const reasonOf = (error: unknown): string =>
  error instanceof Problem || error instanceof Error
    ? error.message.replace(/^url: /, '')
    : 'it could not be sent'

async function record({ store }: Uptime, { row, state }: Alert, text: string): Promise<void> {
  await store.transaction(async (tx) => {
    const stored = recordingQueries(tx)
    if (!(await stored.hasMonitor(row.id))) return // it was deleted meanwhile
    const event = history.row({
      id: store.nextId(history.name),
      monitor_id: row.id,
      event_type: 'alert',
      status: state.last_status,
      response_time: state.last_response_time,
      error: text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 500),
      created_at: new Date().toISOString(),
    })
    await store.write(tx, [history.insert(event)])
  })
}
