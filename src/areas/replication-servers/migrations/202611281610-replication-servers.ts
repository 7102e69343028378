import type { Migration } from '../../../core/area.ts'

/** The other panels that repeat changes of this one, what each of them repeats, and the requests for them. */
export const createReplicationServers: Migration = {
  name: '202611281610-replication-servers',
  statements: [
    `create table replication_servers (
      id integer primary key, name text not null unique, host text not null, port integer not null,
      public_key text not null, sealed_key text not null, may_be_internal integer not null,
      is_enabled integer not null, status text not null, message text not null, last_check text,
      created_at text not null, updated_at text not null, revision integer not null
    )`,
    `create table replication_categories (
      server_id integer not null references replication_servers (id) on delete cascade,
      category text not null, is_enabled integer not null, primary key (server_id, category)
    )`,
    // a change that settles after the server was deleted still writes its row
    `create table replication_actions (
      id integer primary key, server_id integer not null, category text not null, method text not null,
      endpoint text not null, request_body text not null, sealed_request text not null, status text not null,
      response_code integer, error_message text not null, retry_count integer not null, is_over integer not null,
      idempotency_key text not null, retry_token text not null, tries integer not null, next_try text not null,
      created_at text not null, completed_at text
    )`,
    'create index replication_actions_server on replication_actions (server_id, status, id)',
    'create index replication_actions_created_at on replication_actions (created_at)',
  ],
}
