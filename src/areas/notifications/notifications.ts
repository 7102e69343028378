import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import { type ListQuery, type Page, type StreamEvent, success } from '../../core/reply.ts'
import { userLock } from '../users/index.ts'
import type { Notifications } from './context.ts'
import type { Chosen, Delivery, Notification, NotificationState } from './model.ts'
import { NothingChosen } from './problems.ts'
import { deliveries, type DeliveryRow, type NotificationRow, notifications } from './store.ts'

/** Lists the notifications of the caller. */
export async function listNotifications(
  { queries }: Notifications,
  { kind, read, ...query }: ListQuery & { readonly kind?: string; readonly read?: number },
  { user }: Caller,
): Promise<Page<Notification>> {
  const page = await queries.page(query, {
    user_id: user.id,
    ...(kind !== undefined && { kind }),
    ...(read !== undefined && { read }),
  })
  return { items: page.items.map(showNotification), total: page.total }
}

function showNotification(row: NotificationRow): Notification {
  const { user_id: _owner, group_key: _group, ...shown } = notifications.show(row)
  return shown
}

/** Counts the unread notifications of the caller; 0 if that fails, as the contract asks. */
export const countUnread = async (
  { queries }: Notifications,
  { user }: Caller,
): Promise<{ unread: number }> => ({
  unread: await queries.unread(user.id).catch(() => 0),
})

/** Marks notifications of the caller as read; others and unknown ones are left. */
export async function markRead(
  { queries }: Notifications,
  { ids, all }: Chosen,
  { user }: Caller,
): Promise<Change<{ success: true }>> {
  const chosen = chosenOf({ ids, all })
  const unread = await queries.unreadIds(user.id, chosen)
  const rows =
    chosen === 'all' && unread.length > 0
      ? [notifications.updateWhere({ user_id: user.id, read: 0 }, { read: 1 })]
      : unread.map((id) => notifications.updateWhere({ id, user_id: user.id }, { read: 1 }))
  return change({
    summary: 'Mark notifications as read',
    locks: [userLock(user.email)],
    isRecorded: () => false,
    rows,
    reply: success,
  })
}

/** Deletes notifications of the caller; others are left. */
export function deleteNotifications({ ids, all }: Chosen, { user }: Caller): Change<{ success: true }> {
  const chosen = chosenOf({ ids, all })
  return change({
    summary: 'Delete notifications',
    locks: [userLock(user.email)],
    isRecorded: () => false,
    rows:
      chosen === 'all'
        ? [notifications.delete({ user_id: user.id })]
        : chosen.map((id) => notifications.delete({ id, user_id: user.id })),
    reply: success,
  })
}

function chosenOf({ ids = [], all = false }: Chosen): 'all' | readonly number[] {
  if (all) return 'all'
  if (ids.length === 0) throw NothingChosen('ids: name at least one notification, or set all to true')
  return [...new Set(ids)]
}

/** Yields the state of the caller's bell, and again whenever it changes. */
export async function* followNotifications(
  on: Notifications,
  { user }: Caller,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<NotificationState>> {
  let last = ''
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => end(), { once: true })
  while (!signal.aborted) {
    const written = on.untilWritten() // taken before the reading, so that nothing is missed in between
    const newest = await on.queries.newest(user.id)
    const value = {
      unread: await on.queries.unread(user.id),
      newest: newest === undefined ? null : showNotification(newest),
    }
    const text = JSON.stringify(value)
    if (text !== last) yield { value }
    last = text
    await Promise.race([written, ended])
  }
}

/** Lists the deliveries to the channels of the caller. */
export async function listDeliveries(
  { deliveries: stored }: Notifications,
  { state, channel_id, ...query }: ListQuery & Partial<Pick<DeliveryRow, 'state' | 'channel_id'>>,
  { user }: Caller,
): Promise<Page<Delivery>> {
  const page = await stored.page(query, {
    user_id: user.id,
    ...(state !== undefined && { state }),
    ...(channel_id !== undefined && { channel_id }),
  })
  return { items: page.items.map(showDelivery), total: page.total }
}

function showDelivery(row: DeliveryRow): Delivery {
  const { user_id: _owner, message: _text, link: _link, ...shown } = deliveries.show(row)
  return shown
}
