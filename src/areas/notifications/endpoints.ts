import Type from 'typebox'
import { sourceOf } from '../../core/attempt-counts.ts'
import { local } from '../../core/endpoint.ts'
import { NotFound, StoreFailed } from '../../core/problem.ts'
import { data, events, flat, list, succeeded } from '../../core/reply.ts'
import { Id } from '../../core/schemas.ts'
import * as channels from './channels.ts'
import { endpoint } from './context.ts'
import {
  Channels,
  ChannelsDraft,
  Chosen,
  Confirmation,
  Delivery,
  DeliveryFilter,
  Notification,
  NotificationFilter,
  NotificationState,
  UnreadCount,
} from './model.ts'
import * as notifications from './notifications.ts'
import { ChannelConfirmed, ChannelInvalid, CodeWrong, DeliveryFailed, NothingChosen } from './problems.ts'

const ChannelPath = Type.Object({ id: Id })
const Succeeded = Type.Object({ success: Type.Literal(true) })
const onThisPanel = local('each panel has its own notifications')

export const listNotifications = endpoint({
  method: 'GET',
  path: '',
  summary: 'List your notifications',
  effect: 'reads',
  query: NotificationFilter,
  reply: list(Notification, {
    sort: ['-last_at', 'created_at', 'kind', 'title', 'id'],
    search: ['title', 'message'],
  }),
  run: ({ notifications: on, query, caller }) => notifications.listNotifications(on, query, caller),
})

export const countUnread = endpoint({
  method: 'GET',
  path: '/unread-count',
  summary: 'Count your unread notifications',
  effect: 'reads',
  reply: flat(UnreadCount),
  run: ({ notifications: on, caller }) => notifications.countUnread(on, caller),
})

export const markRead = endpoint({
  method: 'POST',
  path: '/mark-read',
  summary: 'Mark notifications of yours as read',
  effect: 'changes',
  category: onThisPanel,
  isLenient: true,
  body: Chosen,
  reply: flat(Succeeded),
  throws: { bad_request: NothingChosen, db_error: StoreFailed },
  run: ({ notifications: on, body, caller }) => notifications.markRead(on, body, caller),
})

export const deleteNotifications = endpoint({
  method: 'POST',
  path: '/delete',
  summary: 'Delete notifications of yours',
  effect: 'destroys',
  changesAccess: true,
  category: onThisPanel,
  isLenient: true,
  body: Chosen,
  reply: flat(Succeeded),
  throws: { bad_request: NothingChosen, db_error: StoreFailed },
  run: ({ body, caller }) => notifications.deleteNotifications(body, caller),
})

export const followNotifications = endpoint({
  method: 'GET',
  path: '/events',
  summary: 'Follow your unread notifications: their number and the newest, at once and with each change',
  effect: 'reads',
  reply: events(NotificationState),
  run: ({ notifications: on, caller, signal }) => notifications.followNotifications(on, caller, signal),
})

export const listChannels = endpoint({
  method: 'GET',
  path: '/channels',
  summary: 'List where your notifications are sent, and the kinds that there are',
  effect: 'reads',
  reply: data(Channels),
  run: ({ notifications: on, caller }) => channels.listChannels(on, caller),
})

export const replaceChannels = endpoint({
  method: 'PUT',
  path: '/channels',
  summary: 'Set where your notifications are sent',
  description:
    'A channel with an id is changed, one without is added, and those not listed are deleted. Webhooks are signed as Standard Webhooks 1.0 says; the key of a new one is in this reply only.',
  effect: 'changes',
  changesAccess: true,
  category: onThisPanel,
  body: ChannelsDraft,
  reply: data(Channels),
  throws: { bad_request: ChannelInvalid },
  target: ({ notifications: on, body, caller }) => channels.checkChannels(on, body.channels, caller),
  run: ({ notifications: on, target, body, ...request }) =>
    channels.replaceChannels(on, target, body.channels, request),
})

export const testChannel = endpoint({
  method: 'POST',
  path: '/channels/{id}/test',
  summary: 'Send a test to a channel of yours',
  description:
    'To an e-mail address that is not confirmed, the test is a mail with the code that confirms it. At most 5 an hour, and 5 to one target by all users together.',
  effect: 'changes',
  category: onThisPanel,
  params: ChannelPath,
  reply: succeeded,
  throws: { not_found: NotFound, delivery_failed: DeliveryFailed },
  target: ({ notifications: on, params, caller }) => channels.loadChannel(on, params.id, caller),
  run: ({ notifications: on, target, caller }) => channels.testChannel(on, target, caller),
})

export const confirmChannel = endpoint({
  method: 'POST',
  path: '/channels/{id}/confirm',
  summary: 'Confirm an e-mail address by the code of its test, after which it receives your notifications',
  effect: 'changes',
  category: onThisPanel,
  params: ChannelPath,
  body: Confirmation,
  reply: succeeded,
  throws: { not_found: NotFound, bad_request: CodeWrong, conflict: ChannelConfirmed },
  rateLimit: { perMinute: 10, keys: ({ visitor }) => [sourceOf(visitor)] },
  target: ({ notifications: on, params, caller }) => channels.loadChannel(on, params.id, caller),
  run: ({ notifications: on, target, body, ...request }) =>
    channels.confirmChannel(on, target, body, request),
})

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/deliveries',
  summary: 'List what was sent to your channels, and why it failed',
  effect: 'reads',
  query: DeliveryFilter,
  reply: list(Delivery, { sort: ['-id', 'created_at', 'state', 'kind'], search: ['title', 'error'] }),
  throws: { not_found: NotFound },
  target: ({ notifications: on, query, caller }) => channels.namedChannel(on, query.channel_id, caller),
  run: ({ notifications: on, query, caller }) => notifications.listDeliveries(on, query, caller),
})
