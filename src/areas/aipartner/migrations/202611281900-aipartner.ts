import type { Migration } from '../../../core/area.ts'

export const createAipartner: Migration = {
  name: '202611281900-aipartner',
  statements: [
    `create table partner_trial (
      id integer primary key, sealed_token text not null, socket_url text not null, activated_at text not null,
      expires_at text not null, is_blocked integer not null, blocked_message text not null, revision integer not null
    )`,
    `create table partner_messages (
      id integer primary key, user_id integer not null references users (id) on delete cascade, role text not null,
      text text not null, created_at text not null
    )`,
    'create index partner_messages_by_user on partner_messages (user_id, id)',
    `create table partner_channel (
      id integer primary key, bot_username text not null, is_enabled integer not null, revision integer not null
    )`,
    `create table partner_gateway (
      id integer primary key, sealed_token text not null, version text not null, installed_at text not null,
      revision integer not null
    )`,
  ],
}
