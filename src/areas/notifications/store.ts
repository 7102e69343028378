import Type from 'typebox'
import type { ListQuery } from '../../core/reply.ts'
import { boolean, id, integer, json, oneOf, optional, ref, secret, text, time } from '../../store/columns.ts'
import type { Db, Tx } from '../../store/database.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

const notUndone = { left: 'an undo does not change notifications' }

export const notifications = table(
  'notifications',
  {
    id: id(),
    user_id: ref('users'),
    kind: text(64),
    group_key: text(200),
    title: text(300),
    message: text(4000),
    link: text(500),
    count: integer(),
    /** 0 or 1, as the contract has it. */
    read: integer(),
    created_at: time(),
    last_at: time(),
  },
  { noun: 'notification', search: ['title', 'message'], notUndone },
)
export type NotificationRow = RowOf<typeof notifications>

/** What was raised already, so that it is not raised again. */
export const noticeKeys = table('notice_keys', {
  key: text(400, { key: true }),
  source: text(64),
  lasts: boolean(),
  seen_at: time(),
})
export type NoticeKeyRow = RowOf<typeof noticeKeys>

export const channels = table(
  'notification_channels',
  {
    id: id(),
    user_id: ref('users'),
    type: oneOf(['email', 'webhook']),
    target: text(2000),
    kinds: json(Type.Union([Type.Array(Type.String()), Type.Null()])),
    is_enabled: boolean(),
    /** Whether its target was set by somebody who could reach internal addresses. */
    allows_internal: boolean(),
    /** Empty for e-mail. */
    sealed_secret: secret(),
    created_at: time(),
    /** When its receiver agreed; null while an e-mail address has not. */
    confirmed_at: optional(time()),
  },
  { noun: 'channel' },
)
export type ChannelRow = RowOf<typeof channels>

export const deliveries = table(
  'notification_deliveries',
  {
    id: id(),
    user_id: ref('users'),
    channel_id: ref('notification_channels'),
    kind: text(64),
    title: text(300),
    message: text(4000),
    link: text(500),
    state: oneOf(['waiting', 'sent', 'failed']),
    attempts: integer(),
    error: text(1000),
    created_at: time(),
    next_at: time(),
    finished_at: optional(time()),
  },
  { noun: 'delivery', search: ['title', 'error'], notUndone },
)
export type DeliveryRow = RowOf<typeof deliveries>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly notifications: NotificationRow
    readonly notice_keys: NoticeKeyRow
    readonly notification_channels: ChannelRow
    readonly notification_deliveries: DeliveryRow
  }
}

const keptDays = 90
const keptDeliveryDays = 30
const mostDue = 20

/** Returns this area's queries. */
export function notificationQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, notifications)
  const unreadOf = (userId: number) =>
    db.selectFrom('notifications').where('user_id', '=', userId).where('read', '=', 0)
  return {
    page: (query: ListQuery, where: Partial<NotificationRow>) => rows.page(query, where),
    unread: async (userId: number): Promise<number> => {
      const counted = await unreadOf(userId)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirst()
      return Number(counted?.n ?? 0)
    },
    /** The ids of those of these notifications that are unread. */
    unreadIds: async (userId: number, ids: 'all' | readonly number[]): Promise<readonly number[]> => {
      const wanted = ids === 'all' ? unreadOf(userId).limit(1) : unreadOf(userId).where('id', 'in', ids)
      return (await wanted.select('id').execute()).map(({ id: each }) => each)
    },
    newest: (userId: number) =>
      unreadOf(userId).selectAll().orderBy('last_at', 'desc').limit(1).executeTakeFirst(),
    channelsOf: (userId: number) =>
      db
        .selectFrom('notification_channels')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
    channel: (channelId: number) => queriesOf(store, channels).find({ id: channelId }),
    /** Removes what is older than is kept, at most one day's worth of each; returns the number of rows. */
    removeOld: async (now: Date | undefined): Promise<number> =>
      (await removeNotifications(db, now)) + (await removeDeliveries(db, now)),
  }
}

/** Returns the queries of a transaction that raises notifications. */
export function raisingQueries(tx: Tx) {
  return {
    keysOf: (source: string) =>
      tx.selectFrom('notice_keys').selectAll().where('source', '=', source).execute(),
    /** The ids of the users who are told, without suspended ones. */
    receivers: async (to: number | 'superusers'): Promise<readonly number[]> => {
      const active = tx.selectFrom('users').select('id').where('is_suspended', '=', 0)
      const wanted = to === 'superusers' ? active.where('is_admin', '=', 1) : active.where('id', '=', to)
      return (await wanted.limit(1000).execute()).map(({ id: each }) => each)
    },
    /** The unread notification of a group that happened after a time. */
    unreadOfGroup: ({ userId, kind, group, since }: Grouped) =>
      tx
        .selectFrom('notifications')
        .selectAll()
        .where('user_id', '=', userId)
        .where('read', '=', 0)
        .where('last_at', '>', since.toISOString())
        .where('kind', '=', kind)
        .where('group_key', '=', group)
        .executeTakeFirst(),
    /** The channels of a user that receive a kind: none whose receiver has not agreed. */
    channelsFor: async (userId: number, kind: string): Promise<readonly ChannelRow[]> => {
      const all = tx.selectFrom('notification_channels').selectAll().where('user_id', '=', userId)
      return (await all.where('is_enabled', '=', 1).where('confirmed_at', 'is not', null).execute()).filter(
        ({ kinds }) => channels.columns.kinds.decode(kinds)?.includes(kind) ?? true,
      )
    },
  }
}

export type RaisingQueries = ReturnType<typeof raisingQueries>

export interface Grouped {
  readonly userId: number
  readonly kind: string
  readonly group: string
  readonly since: Date
}

/** Returns the queries of the deliveries. */
export function deliveryQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, deliveries)
  return {
    page: (query: ListQuery, where: Partial<DeliveryRow>) => rows.page(query, where),
    /** The deliveries whose time has come, the oldest first. */
    due: (now: Date) =>
      db
        .selectFrom('notification_deliveries')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('next_at', '<=', now.toISOString())
        .orderBy('next_at')
        .limit(mostDue)
        .execute(),
    /** When the next delivery is due; undefined if none waits. */
    nextDue: async (): Promise<string | undefined> =>
      (
        await db
          .selectFrom('notification_deliveries')
          .select('next_at')
          .where('state', '=', 'waiting')
          .orderBy('next_at')
          .limit(1)
          .executeTakeFirst()
      )?.next_at,
  }
}

export type DeliveryQueries = ReturnType<typeof deliveryQueries>

export type NotificationQueries = ReturnType<typeof notificationQueries>

async function removeNotifications(db: Db, now: Date | undefined): Promise<number> {
  const { oldest, newest } = await db
    .selectFrom('notifications')
    .select(({ fn }) => [fn.min('last_at').as('oldest'), fn.max('last_at').as('newest')])
    .executeTakeFirstOrThrow()
  const limit = pruneLimit(now, keptDays, { oldest, newest })
  if (limit === undefined) return 0
  const gone = await db.deleteFrom('notifications').where('last_at', '<', limit).executeTakeFirst()
  return Number(gone.numDeletedRows)
}

async function removeDeliveries(db: Db, now: Date | undefined): Promise<number> {
  const { oldest, newest } = await db
    .selectFrom('notification_deliveries')
    .select(({ fn }) => [fn.min('created_at').as('oldest'), fn.max('created_at').as('newest')])
    .executeTakeFirstOrThrow()
  const limit = pruneLimit(now, keptDeliveryDays, { oldest, newest })
  if (limit === undefined) return 0
  const gone = await db
    .deleteFrom('notification_deliveries')
    .where('created_at', '<', limit)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
