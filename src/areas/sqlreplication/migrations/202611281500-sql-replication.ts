import type { Migration } from '../../../core/area.ts'

/** The replication of the SQL server: the role of this host, its key for other panels, and its replicas. */
export const createSqlReplication: Migration = {
  name: '202611281500-sql-replication',
  statements: [
    `create table sql_sync_keys (
      id integer primary key, key_hash text not null, key_prefix text not null, created_at text not null,
      last_used text
    )`,
    `create table sql_replication (
      id integer primary key, role text not null, url text not null, pin text not null, sealed_key text not null,
      host text not null, port integer not null, username text not null, sealed_password text not null,
      certificate text not null, created_at text not null, revision integer not null
    )`,
    `create table sql_replicas (
      id integer primary key, name text not null unique, username text not null, server_id integer not null,
      created_at text not null, revision integer not null
    )`,
  ],
}
