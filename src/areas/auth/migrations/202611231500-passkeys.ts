import type { Migration } from '../../../core/area.ts'

export const createPasskeys: Migration = {
  name: '202611231500-passkeys',
  statements: [
    `create table passkeys (
      id integer primary key, user_id integer not null references users (id) on delete cascade,
      credential_id text not null unique, public_key text not null, counter integer not null, rp_id text not null,
      name text not null, is_synced integer not null, created_at text not null, last_used text
    )`,
    'create index passkeys_by_user on passkeys (user_id)',
  ],
}
