import type { Migration } from '../../../core/area.ts'

export const createSessions: Migration = {
  name: '202611211210-sessions',
  statements: [
    `create table sessions (
      id integer primary key, user_id integer not null references users (id) on delete cascade, access_hash text not null unique,
      access_expires_at text not null, expires_at text not null, created_at text not null, last_used_at text not null,
      ip text not null, user_agent text not null
    )`,
    'create index sessions_by_user on sessions (user_id)',
    `create table refresh_tokens (
      hash text primary key, session_id integer not null references sessions (id) on delete cascade, created_at text not null, used_at text
    )`,
    'create index refresh_tokens_by_session on refresh_tokens (session_id)',
  ],
}
