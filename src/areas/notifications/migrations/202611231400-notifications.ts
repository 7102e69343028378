import type { Migration } from '../../../core/area.ts'

export const createNotifications: Migration = {
  name: '202611231400-notifications',
  statements: [
    `create table notifications (
      id integer primary key, user_id integer not null references users (id) on delete cascade, kind text not null,
      group_key text not null, title text not null, message text not null, link text not null, count integer not null,
      read integer not null, created_at text not null, last_at text not null
    )`,
    'create index notifications_by_user on notifications (user_id, read, last_at)',
    'create table notice_keys (key text primary key, source text not null, lasts integer not null, seen_at text not null)',
    `create table notification_channels (
      id integer primary key, user_id integer not null references users (id) on delete cascade, type text not null,
      target text not null, kinds text not null, is_enabled integer not null, sealed_secret text not null, created_at text not null
    )`,
    'create index notification_channels_by_user on notification_channels (user_id)',
    `create table notification_deliveries (
      id integer primary key, user_id integer not null references users (id) on delete cascade,
      channel_id integer not null references notification_channels (id) on delete cascade, kind text not null,
      title text not null, message text not null, link text not null, state text not null, attempts integer not null,
      error text not null, created_at text not null, next_at text not null, finished_at text
    )`,
    'create index notification_deliveries_by_user on notification_deliveries (user_id, id)',
    'create index notification_deliveries_due on notification_deliveries (state, next_at)',
  ],
}
