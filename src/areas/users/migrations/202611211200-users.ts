import type { Migration } from '../../../core/area.ts'

export const createUsers: Migration = {
  name: '202611211200-users',
  statements: [
    `create table users (
      id integer primary key, email text not null unique, fullname text not null, username text unique, password_hash text not null,
      is_admin integer not null, is_suspended integer not null, failed_sign_ins integer not null, locked_until text,
      created_at text not null, updated_at text not null, revision integer not null
    )`,
    `create table user_permissions (
      user_id integer not null references users (id) on delete cascade, slug text not null, primary key (user_id, slug)
    )`,
    `create table api_keys (
      id integer primary key, user_id integer not null references users (id) on delete cascade, name text not null,
      key_hash text not null unique, key_prefix text not null, created_at text not null, last_used text
    )`,
    'create index api_keys_by_user on api_keys (user_id)',
  ],
}
