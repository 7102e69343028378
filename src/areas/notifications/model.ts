import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Prose, Revealed, Secret, Text, Time } from '../../core/schemas.ts'

const Kind = Text(64, { description: 'Kind of notification, such as `job_failed`' })
const IsRead = Type.Integer({ minimum: 0, maximum: 1, description: '1 if it was read' })

export const Notification = Type.Object({
  id: Id,
  kind: Kind,
  title: Text(300),
  message: Prose(4000),
  link: Text(500, { description: 'The page of the panel that it is about; empty for none' }),
  count: Type.Integer({ minimum: 1, description: 'How often it happened since the last one was read' }),
  read: IsRead,
  created_at: Time,
  last_at: Time,
})
export type Notification = Static<typeof Notification>

export const NotificationFilter = Type.Object({
  kind: Optional(Kind),
  read: Optional(
    Type.Integer({ minimum: 0, maximum: 1, expects: '0 for unread ones or 1', description: 'Only these' }),
  ),
})

/** A body that does not match counts as empty, as the contract asks. */
export const Chosen = Type.Object({
  ids: Optional(Type.Array(Id, { maxItems: 10_000, description: 'Which ones' })),
  all: Optional(Type.Boolean({ description: 'True for every notification of the user' })),
})
export type Chosen = Static<typeof Chosen>

export const UnreadCount = Type.Object({ unread: Type.Integer({ minimum: 0 }) })

/** The state of the bell. */
export const NotificationState = Type.Object({
  unread: Type.Integer({ minimum: 0 }),
  newest: Type.Union([Notification, Type.Null()], { description: 'The unread one that happened last' }),
})
export type NotificationState = Static<typeof NotificationState>

const ChannelType = OneOf(['email', 'webhook'], { description: 'How notifications are sent' })
const channel = {
  type: ChannelType,
  target: Text(2000, { minLength: 1, description: 'E-mail address, or URL of the webhook' }),
  kinds: Type.Union([Type.Array(Kind, { maxItems: 100 }), Type.Null()], {
    description: 'The kinds that it receives; null for all',
  }),
  is_enabled: Type.Boolean({ default: true }),
}

export const ChannelDraft = Type.Object({ id: Optional(Id), ...channel, kinds: Optional(channel.kinds) })
export type ChannelDraft = Static<typeof ChannelDraft>

export const ChannelsDraft = Type.Object({
  channels: Type.Array(ChannelDraft, {
    maxItems: 10,
    description: 'All channels; those not listed are deleted',
  }),
})

export const Channel = Type.Object({
  id: Id,
  ...channel,
  secret: Type.Union([Revealed(), Type.Null()], {
    description:
      'The key of the signature of a webhook: in full in the reply that created it, otherwise masked',
  }),
  created_at: Time,
  confirmed_at: Type.Union([Time, Type.Null()], {
    description:
      'When its receiver agreed; null for an e-mail address that gets nothing yet but the code of the test',
  }),
})
export type Channel = Static<typeof Channel>

export const Confirmation = Type.Object({
  code: Secret({
    minLength: 8,
    maxLength: 20,
    expects: 'the code of the mail',
    description: 'The code of the mail',
  }),
})

export const Channels = Type.Object({
  channels: Type.Array(Channel, { maxItems: 10 }),
  kinds: Type.Array(Type.Object({ name: Kind, title: Text(100) }), {
    maxItems: 100,
    description: 'All kinds',
  }),
})
export type Channels = Static<typeof Channels>

const DeliveryState = OneOf(['waiting', 'sent', 'failed'], { description: 'State of the delivery' })

export const Delivery = Type.Object({
  id: Id,
  channel_id: Id,
  kind: Kind,
  title: Text(300),
  state: DeliveryState,
  attempts: Type.Integer({ minimum: 0 }),
  error: Text(1000, { description: 'Why the last attempt failed; empty if none has' }),
  created_at: Time,
  next_at: Time,
  finished_at: Type.Union([Time, Type.Null()]),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryFilter = Type.Object({ state: Optional(DeliveryState), channel_id: Optional(Id) })
