import type { Migration } from '../../../core/area.ts'

/** Whether the status of the monitors is public. */
export const addStatusPage: Migration = {
  name: '202611291740-uptime-status-page',
  statements: [
    `create table uptime_status_page (
      id integer primary key, is_enabled integer not null, title text not null, monitor_ids text not null,
      revision integer not null
    )`,
  ],
}
