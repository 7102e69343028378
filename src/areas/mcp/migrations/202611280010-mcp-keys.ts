import type { Migration } from '../../../core/area.ts'

export const createMcpKeys: Migration = {
  name: '202611280010-mcp-keys',
  statements: [
    `create table mcp_keys (
      id integer primary key, user_id integer not null references users (id) on delete cascade, name text not null,
      key_hash text not null unique, key_prefix text not null, scopes text not null, read_only integer not null,
      enabled integer not null, expires_at text, created_at text not null, last_used text
    )`,
    'create index mcp_keys_by_user on mcp_keys (user_id)',
  ],
}
