import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../users/index.ts'
import { DeliveryFailed } from './problems.ts'
import type { ChannelRow } from './store.ts'

/** What is delivered. */
export interface Sent {
  /** The same in every attempt, by which a receiver knows a repeated one. */
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly message: string
  readonly link: string
  readonly created_at: string
}

export interface Sending {
  readonly fetch: Host['fetch']
  readonly mail: Host['mail']
  readonly hostname: () => string
  readonly smtpUrl: string
  /** The sender of e-mail; empty for one at the name of the host. */
  readonly sender: string
  readonly unseal: Store['unseal']
}

/** The receiver of a webhook is gone for good. */
export class ReceiverGone extends Error {}

const limitMs = 20_000
const mostAnswerBytes = 16 * 1024

/** Sends to a channel of a user, once. */
export function send(
  on: Sending,
  channel: ChannelRow,
  user: UserRow,
  sent: Sent,
  signal: AbortSignal,
): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  return channel.type === 'email'
    ? sendMail(on, channel.target, sent, within)
    : post(on, channel, user, sent, within)
}

async function sendMail(on: Sending, to: string, { title, message, link }: Sent, signal: AbortSignal) {
  const host = on.hostname()
  const where = link === '' ? '' : `\n\nIn the panel of ${host}: ${link}`
  await on.mail.send({
    server: on.smtpUrl,
    from: on.sender === '' ? `hostreeve@${host}` : on.sender,
    to,
    subject: `[${host}] ${title}`,
    text: `${message === '' ? title : message}${where}\n`,
    signal,
  })
}

async function post(on: Sending, channel: ChannelRow, user: UserRow, sent: Sent, signal: AbortSignal) {
  const { id, created_at: timestamp, kind, title, message, link } = sent
  const body = {
    type: `notification.${kind}`,
    timestamp,
    data: { kind, title, message, link, host: on.hostname() },
  }
  const { status } = await on.fetch.post({
    url: channel.target,
    asker: { isAdmin: user.is_admin === 1 && channel.allows_internal === 1 },
    body,
    headers: (text) => signatureOf(id, text, on.unseal(channel.sealed_secret)),
    maxBytes: mostAnswerBytes,
    signal,
  })
  if (status === 410) throw new ReceiverGone('the receiver answered 410: it wants no more')
  if (status < 200 || status > 299) throw DeliveryFailed(`the receiver answered ${status}`)
}

const secretPrefix = 'whsec_'

/** Creates the key of the signatures of a webhook, in the form of Standard Webhooks. */
export const newSecret = (): string => `${secretPrefix}${randomBytes(24).toString('base64')}`

/** Signs a body (Standard Webhooks 1.0, symmetric). */
export function signatureOf(id: string, body: string, secret: string, now: Date = new Date()) {
  const seconds = Math.floor(now.getTime() / 1000)
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
}

/** Says why a delivery failed, on one line. */
export function reasonOf(error: unknown): string {
  const isKnown = error instanceof Problem || error instanceof ReceiverGone
  const late = error instanceof Error && error.name === 'TimeoutError'
  const reason = isKnown
    ? error.message
    : late
      ? `no answer within ${limitMs / 1000} s`
      : 'the panel could not send it'
  return reason
    .replace(/^url: /, '')
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .slice(0, 1000)
}

/** What a test of a channel sends: the code, where its receiver has not agreed yet. */
export const testOf = (now: Date, code?: string): Sent => ({
  id: `test_${randomUUID()}`,
  kind: 'test',
  title: code === undefined ? 'Test of notifications' : 'Confirm your address',
  message:
    code === undefined
      ? 'Notifications of the panel reach you here.'
      : `Enter this code in the panel to receive notifications here: ${code}\n\nIf you did not ask for it, you need not do anything: nothing else is sent to you.`,
  link: '/notifications/delivery',
  created_at: now.toISOString(),
})
