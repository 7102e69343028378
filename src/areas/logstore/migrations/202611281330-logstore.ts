import type { Migration } from '../../../core/area.ts'

/** The sources of log lines, the saved searches, and how long lines are kept. */
export const createLogstore: Migration = {
  name: '202611281330-logstore',
  statements: [
    `create table logstore_sources (
      id integer primary key, name text not null unique, type text not null, protocol text not null,
      port integer not null, description text not null, include_local integer not null,
      allowed_ips text not null, replicate_to text not null, enabled integer not null,
      created_at text not null, revision integer not null
    )`,
    `create table logstore_saved_searches (
      id integer primary key, name text not null, query text not null, severity text not null,
      time_range text not null, expires_at text, preserve_data integer not null, created_at text not null
    )`,
    `create table logstore_retention (
      id integer primary key, max_age_days integer not null, max_disk_percent integer not null,
      revision integer not null
    )`,
  ],
}
