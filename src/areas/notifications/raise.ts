import type { RowWrite } from '../../core/change.ts'
import type { Store } from '../../store/store.ts'
import type { Notice, NoticeSource } from './source.ts'
import {
  deliveries,
  noticeKeys,
  type NotificationRow,
  notifications,
  raisingQueries,
  type RaisingQueries,
} from './store.ts'

const groupedMs = 24 * 3_600_000
const line = (text: string, length: number) =>
  text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, length)

interface Raising {
  readonly store: Store
  readonly source: NoticeSource
  readonly now: Date
}

/** Stores what a source returned and was not raised before, with the deliveries; forgets states that are over. */
export function raise({ store, source, now }: Raising, current: readonly Notice[]): Promise<void> {
  return store.transaction(async (tx) => {
    const queries = raisingQueries(tx)
    const seen = await queries.keysOf(source.name)
    const known = new Set(seen.map(({ key }) => key))
    const returned = new Set(current.map(({ key }) => key))
    const over = seen.filter(({ key, lasts, seen_at: seenAt }) =>
      lasts === 1 ? !returned.has(key) : Date.parse(seenAt) < now.getTime() - 2 * groupedMs,
    )
    for (const { key } of over) await store.write(tx, [noticeKeys.delete({ key })])
    for (const notice of current) {
      if (known.has(notice.key)) continue
      known.add(notice.key)
      await store.write(tx, [keyOf(notice, source, now)])
      for (const userId of await queries.receivers(notice.to))
        await store.write(tx, await raisedFor({ store, queries, notice, userId, now })) // before the next one is grouped
    }
  })
}

const keyOf = ({ key, lasts }: Notice, { name }: NoticeSource, now: Date) =>
  noticeKeys.insert(noticeKeys.row({ key, source: name, lasts: lasts === true, seen_at: now.toISOString() }))

interface For {
  readonly store: Store
  readonly queries: RaisingQueries
  readonly notice: Notice
  readonly userId: number
  readonly now: Date
}

/** The writes of a notification of one user: one more of its group, or a new one with its deliveries. */
async function raisedFor({ store, queries, notice, userId, now }: For): Promise<readonly RowWrite[]> {
  const { kind, group, link } = notice
  const at = now.toISOString()
  const shown = { title: line(notice.title, 300), message: notice.message.slice(0, 4000), link }
  const since = new Date(now.getTime() - groupedMs)
  const former = await queries.unreadOfGroup({ userId, kind, group, since })
  if (former) return [notifications.update(former, { ...shown, count: former.count + 1, last_at: at })]
  const row = notifications.row({
    id: store.nextId(notifications.name),
    user_id: userId,
    kind,
    group_key: group,
    ...shown,
    count: 1,
    read: 0,
    created_at: at,
    last_at: at,
  })
  const receiving = await queries.channelsFor(userId, kind)
  return [notifications.insert(row), ...receiving.map(({ id }) => deliveryOf(store, row, id))]
}

function deliveryOf(store: Store, row: NotificationRow, channelId: number): RowWrite {
  const { user_id, kind, title, message, link, created_at } = row
  const delivery = deliveries.row({
    id: store.nextId(deliveries.name),
    user_id,
    channel_id: channelId,
    kind,
    title,
    message,
    link,
    state: 'waiting',
    attempts: 0,
    error: '',
    created_at,
    next_at: created_at,
  })
  return deliveries.insert(delivery)
}
