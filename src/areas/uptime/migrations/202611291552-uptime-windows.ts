import type { Migration } from '../../../core/area.ts'

/** Expected statuses, signatures, maintenance windows, protection against flapping, grouped alerts and condensed samples. */
export const addWindows: Migration = {
  name: '202611291552-uptime-windows',
  statements: [
    "alter table uptime_monitors add column http_statuses text not null default ''",
    "alter table uptime_monitors add column sealed_webhook_secret text not null default ''",
    "alter table uptime_states add column swings text not null default ''",
    'alter table uptime_states add column is_unstable integer not null default 0',
    'alter table uptime_states add column is_switched integer not null default 0',
    `create table uptime_windows (
      id integer primary key, monitor_id integer references uptime_monitors (id) on delete cascade,
      title text not null, starts_at text not null, minutes integer not null, repeats text not null,
      created_at text not null
    )`,
    `create table uptime_alerts (
      id integer primary key, monitor_id integer not null references uptime_monitors (id) on delete cascade,
      event_type text not null, status integer not null, response_time integer not null, error text not null,
      created_at text not null
    )`,
    `create table uptime_notices (
      id integer primary key, event_type text not null, title text not null, message text not null,
      created_at text not null
    )`,
    `create table uptime_fives (
      monitor_id integer not null references uptime_monitors (id) on delete cascade, created_at text not null,
      checks integer not null, failed integer not null, average integer not null, slowest integer not null,
      primary key (monitor_id, created_at)
    )`,
    'create index uptime_fives_created_at on uptime_fives (created_at)',
    `create table uptime_days (
      monitor_id integer not null references uptime_monitors (id) on delete cascade, day text not null,
      checks integer not null, failed integer not null, p50 integer not null, p95 integer not null,
      p99 integer not null, primary key (monitor_id, day)
    )`,
  ],
}
