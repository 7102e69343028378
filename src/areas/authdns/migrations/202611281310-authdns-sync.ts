import type { Migration } from '../../../core/area.ts'

/** The sync between panels: the key of this one, the servers it pushes to, and what was pushed and received. */
export const createDnsSync: Migration = {
  name: '202611281310-authdns-sync',
  statements: [
    `create table authdns_sync_keys (
      id integer primary key, key_hash text not null, key_prefix text not null, created_at text not null,
      last_used text
    )`,
    `create table authdns_sync_servers (
      id integer primary key, name text not null unique, url text not null, sealed_key text not null,
      created_at text not null, revision integer not null
    )`,
    `create table authdns_sync_pushed (
      server_id integer not null, zone text not null, change_id text not null, serial text not null,
      is_absent integer not null, failure text not null, pushed_at text not null,
      primary key (server_id, zone)
    )`,
    `create table authdns_sync_received (
      zone text primary key, change_id text not null, serial text not null, is_absent integer not null,
      received_at text not null
    )`,
  ],
}
