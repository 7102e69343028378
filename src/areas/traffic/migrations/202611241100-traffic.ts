import type { Migration } from '../../../core/area.ts'

/** The traffic of an hour in UTC, and how far the log of a website was read. */
export const createTraffic: Migration = {
  name: '202611241100-traffic',
  statements: [
    `create table website_traffic (
      website_id integer not null references websites (id) on delete cascade,
      hour text not null,
      requests integer not null, bytes integer not null,
      status_1xx integer not null, status_2xx integer not null, status_3xx integer not null,
      status_4xx integer not null, status_5xx integer not null,
      slowest text not null,
      primary key (website_id, hour)
    )`,
    'create index website_traffic_hour on website_traffic (hour)',
    `create table website_log_positions (
      website_id integer primary key references websites (id) on delete cascade,
      inode integer not null, read_bytes integer not null
    )`,
  ],
}
