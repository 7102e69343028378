import type { Migration } from '../../../core/area.ts'

/** One row each: where log lines are sent, and what the SSH audit records. */
export const createHostLogs: Migration = {
  name: '202611281630-hostlogs',
  statements: [
    `create table remote_logging (
      id integer primary key, enabled integer not null, server text not null, port integer not null,
      protocol text not null, ca text not null, revision integer not null
    )`,
    `create table ssh_audit (
      id integer primary key, enabled integer not null, commands integer not null, forward integer not null,
      server text not null, port integer not null, protocol text not null, ca text not null, revision integer not null
    )`,
  ],
}
