import type { Migration } from '../../../core/area.ts'

/** Saved searches that notify. */
export const addLogAlerts: Migration = {
  name: '202611291550-log-alerts',
  statements: [
    'alter table logstore_saved_searches add column alert_threshold integer not null default 0',
    'alter table logstore_saved_searches add column alert_minutes integer not null default 5',
  ],
}
