import { randomUUID } from 'node:crypto'
import { Problem } from '../../../core/problem.ts'
import type { Tx } from '../../../store/database.ts'
import { portOf, readUrl } from '../../../host/fetch/index.ts'
import { askWeb } from '../../../host/reach/index.ts'
import { signatureOf } from '../../notifications/index.ts'
import { headlineOf, linesOf } from './outbreak.ts'
import type { Alert, Uptime } from '../parts.ts'
import { history, recordingQueries } from '../store.ts'

/** Who is told of alerts: each once for all monitors that failed together. */
interface Recipient {
  /** The same for alerts that are sent together. */
  readonly key: string
  /** Its name in the history. */
  readonly title: string
  send(alerts: readonly Alert[], signal: AbortSignal): Promise<void>
}

interface Sending {
  readonly recipient: Recipient
  readonly alerts: readonly Alert[]
}

interface Outcome {
  readonly alert: Alert
  readonly text: string
}

const limitMs = 20_000
/** Monitors that an e-mail names, and that a webhook receives. */
const mostTold = 500

/** The recipients of an alert. */
export function recipientsOf(on: Uptime, alert: Alert): readonly Recipient[] {
  const { alert_email: email, alert_webhook: webhook, webhook_skip_ssl, sealed_webhook_secret } = alert
  const secret = sealed_webhook_secret === '' ? '' : on.store.unseal(sealed_webhook_secret)
  const mail: Recipient = {
    key: `mailto:${email}`,
    title: `e-mail to ${email}`,
    send: (alerts, signal) => sendMail(on, alerts, signal),
  }
  const hook: Recipient = {
    key: `${webhook} ${webhook_skip_ssl} ${secret}`,
    title: 'webhook',
    send: (alerts, signal) => callWebhook(on, { alerts, secret }, signal),
  }
  const assistant: Recipient = {
    key: 'assistant',
    title: 'assistant',
    send: (alerts, signal) => tellAssistant(on, alerts, signal),
  }
  return [
    ...(email === '' ? [] : [mail]),
    ...(webhook === '' ? [] : [hook]),
    ...(alert.alert_ai === 1 ? [assistant] : []),
  ]
}

/** Sends alerts to one recipient; returns how that went, for the history of each monitor. */
export async function send(
  { recipient: { title, send: deliver }, alerts }: Sending,
  stopping: AbortSignal,
): Promise<readonly Outcome[]> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)])
  const failure = await deliver(alerts, signal).then(
    () => undefined,
    (error: unknown) => {
      stopping.throwIfAborted()
      return signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error)
    },
  )
  return alerts.map((alert) => ({ alert, text: `${title}: ${failure ?? 'sent'}` }))
}

async function sendMail(on: Uptime, alerts: readonly Alert[], signal: AbortSignal): Promise<void> {
  const [first] = alerts
  if (first === undefined) return
  const host = on.hostname()
  const outbreak = { event: first.event_type, group: alerts }
  await on.mail.send({
    server: on.smtpUrl,
    from: on.sender === '' ? `hostreeve@${host}` : on.sender,
    to: first.alert_email,
    subject: `[${host}] ${headlineOf(outbreak)}`,
    text: `${linesOf(outbreak, mostTold)}\n\nChecked at ${first.happened_at} from ${host}.\n`,
    signal,
  })
}

/** The conversation of the assistant that receives alerts. */
const conversation = 'agent:main:uptime'

/**
 * Writes to the assistant, and leaves once it has accepted the message: it answers in its conversation. What a server
 * answered is left out, as the assistant might take it for an instruction.
 */
async function tellAssistant(on: Uptime, alerts: readonly Alert[], signal: AbortSignal): Promise<void> {
  const [first] = alerts
  if (first === undefined) return
  const group = alerts.map((alert) => ({
    ...alert,
    error: alert.status === 0 ? '' : `status ${alert.status}`,
  }))
  const outbreak = { event: first.event_type, group }
  const message = `The uptime monitors of ${on.hostname()} tell: ${headlineOf(outbreak)}.\n${linesOf(outbreak)}`
  const answer = await on.assistant.openChat({ message, sessionKey: conversation, id: randomUUID() }, signal)
  for await (const { type } of answer) if (type === 'start') return
}

interface Call {
  readonly alerts: readonly Alert[]
  /** Empty for a call without a signature. */
  readonly secret: string
}

/** The first monitor is the body, as if it were alone; the others that failed with it are in `others`. */
async function callWebhook(on: Uptime, { alerts, secret }: Call, signal: AbortSignal): Promise<void> {
  const [first, ...others] = alerts.slice(0, mostTold)
  if (first === undefined) return
  const body = {
    ...payloadOf(first),
    ...(others.length > 0 && { count: alerts.length, others: others.map(payloadOf) }),
  }
  const status = await (secret === '' ? plain : signed)(on, { first, body, secret }, signal)
  if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`)
}

interface Posting {
  readonly first: Alert
  readonly body: object
  readonly secret: string
}

const asker = { isAdmin: true }

async function plain(on: Uptime, { first, body }: Posting, signal: AbortSignal): Promise<number> {
  const url = readUrl(first.alert_webhook)
  const { status } = await askWeb({
    url,
    pinned: await on.addresses.resolveAllowed(url.hostname, portOf(url), asker, signal),
    method: 'POST',
    isUnverified: first.webhook_skip_ssl === 1,
    maxBytes: 0,
    text: JSON.stringify(body),
    signal,
  })
  return status
}

const mostAnswerBytes = 1024 * 1024

/** Signs the body as Standard Webhooks has it; any certificate is accepted by expecting the one that is shown. */
async function signed(on: Uptime, { first, body, secret }: Posting, signal: AbortSignal): Promise<number> {
  const { alert_webhook: url, webhook_skip_ssl, alert_id: id } = first
  const isAnyAccepted = webhook_skip_ssl === 1 && /^https:/i.test(url)
  const pin = isAnyAccepted ? (await on.fetch.readKey(url, asker, signal)).pin : ''
  const headers = (text: string) => signatureOf(`alert_${id}`, text, secret)
  const posted = { url, asker, body, headers, pin, maxBytes: mostAnswerBytes, signal }
  return (await on.fetch.post(posted)).status
}

const payloadOf = (alert: Alert) => ({
  monitor: { id: alert.id, name: alert.name, type: alert.type, target: alert.target },
  event_type: alert.event_type,
  status: alert.status,
  response_time: alert.response_time,
  error: alert.error,
  created_at: alert.happened_at,
})

const reasonOf = (error: unknown): string =>
  error instanceof Problem || error instanceof Error
    ? error.message.replace(/^url: /, '')
    : 'it could not be sent'

/** Writes how alerts were sent into the history of their monitors. */
export async function recordAlerts({ store }: Uptime, tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const known = new Set(await recordingQueries(tx).ids())
  const created_at = new Date().toISOString()
  const rows = outcomes
    .filter(({ alert }) => known.has(alert.id)) // it was deleted meanwhile
    .map(({ alert, text }) => ({
      ...{ id: store.nextId(history.name), monitor_id: alert.id, event_type: 'alert' as const, created_at },
      ...{ status: alert.status, response_time: alert.response_time },
      error: text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 500),
    }))
  await store.write(
    tx,
    rows.map((row) => history.insert(history.row(row))),
  )
}
