import type { Migration } from '../../../core/area.ts'

/** Users choose the time zone in which the panel shows times. */
export const addTimeZones: Migration = {
  name: '202611230200-time-zones',
  statements: ['alter table users add column time_zone text'],
}
