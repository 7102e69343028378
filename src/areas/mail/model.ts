import Type, { type Static } from 'typebox'
import { Masked, OneOf, Optional, Secret, Text, Time } from '../../core/schemas.ts'

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const host = `(?:${label}\\.)*${label}`
const port = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'
/** No character of it means anything to Exim's address lists or to a shell. */
const address = `[A-Za-z0-9_](?:[A-Za-z0-9._+=~-]{0,62}[A-Za-z0-9_+=~-])?@${host}`

export const MailSettings = Type.Object({
  smart_route: Text(2000, { description: 'Relay as host::port, as dc_smarthost has it; empty without one' }),
  config_type: OneOf(['internet', 'smarthost'], {
    description: 'smarthost: mail leaves through the relay; internet: it does not',
  }),
  running: Type.Boolean({
    description: 'Whether the daemon runs, which sends again what waits in the queue',
  }),
  default_from: Text(2000, {
    description:
      'Sender of mail of root, as /etc/email-addresses has it; empty for root at the name of the host',
  }),
  username: Text(2000, { description: 'User at the relay; empty if Exim does not sign in' }),
  password: Type.Union([Masked({ description: 'Password at the relay' }), Type.Null()]),
  configured_type: Text(100, {
    description: 'dc_eximconfig_configtype as in the file: local delivers nothing to other hosts',
  }),
  reason: Text(1000, { description: 'Why the settings cannot be changed; empty if they can' }),
  installed: Type.Boolean({ description: 'Whether Exim is installed' }),
})
export type MailSettings = Static<typeof MailSettings>

export const MailDraft = Type.Object({
  smart_route: Optional(
    Type.String({
      maxLength: 260,
      pattern: `^(?:${host}\\.?::${port})?$`,
      description:
        'Relay for mail to other hosts, on port 465 with TLS from the first byte; empty delivers it to them directly. The sign-in to a former relay is removed',
      expects: 'host::port such as mail.example.com::587, or empty',
    }),
  ),
  default_from: Optional(
    Type.String({
      maxLength: 254,
      pattern: `^(?:${address})?$`,
      description: 'Sender of mail of root, such as reports of cron; empty for root at the name of the host',
      expects: 'an e-mail address such as server@example.com, or empty',
    }),
  ),
  username: Optional(
    Type.String({
      maxLength: 255,
      pattern: '^(?:[^\\u0000-\\u0020\\u007f:](?:[^\\u0000-\\u001f\\u007f:]*[^\\u0000-\\u0020\\u007f:])?)?$',
      description: 'User at the relay; empty removes the sign-in',
      expects: 'one line without a colon or spaces around it',
    }),
  ),
  password: Optional(
    Secret({
      maxLength: 255,
      minLength: 1,
      pattern: '^[^\\u0000-\\u0020\\u007f](?:[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f])?$',
      description: 'Password at the relay. It is sent over TLS only',
      expects: 'one line without spaces around it',
    }),
  ),
})
export type MailDraft = Static<typeof MailDraft>

const QueuedMail = Type.Object({
  id: Text(30, { description: 'Identifier in the logs of Exim' }),
  queued_at: Time,
  size_bytes: Type.Integer({ minimum: 0, description: 'Size, rounded from 1,024 bytes on' }),
  sender: Text(2000, { description: 'Sender; empty for a report of a failed delivery' }),
  recipients: Type.Array(Text(2000), { description: 'Those that have not received it yet' }),
  is_frozen: Type.Boolean({ description: 'Whether Exim does not try again by itself' }),
  reason: Text(1000, { description: 'Why the last attempt failed; empty before the first one' }),
})

export const MailQueue = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'Messages in the queue' }),
  messages: Type.Array(QueuedMail, { maxItems: 500, description: 'The oldest first' }),
})
export type MailQueue = Static<typeof MailQueue>

export const MailTest = Type.Object({
  to: Type.String({
    maxLength: 254,
    pattern: `^${address}$`,
    description: 'Receiver of the message',
    expects: 'an e-mail address such as ada@example.com',
  }),
})
export type MailTest = Static<typeof MailTest>

export const MailTested = Type.Object({
  outcome: OneOf(['delivered', 'queued'], { description: 'queued: the first attempt has not ended yet' }),
  message: Text(1000, { description: 'The line of the log of Exim, or why there is none yet' }),
})
export type MailTested = Static<typeof MailTested>
