import type { Migration } from '../../../core/area.ts'

export const createVerifications: Migration = {
  name: '202611292241-activity-verifications',
  statements: [
    `create table activity_verifications (
      slot integer primary key, verified_at text not null, is_whole integer not null, checked integer, first_id integer,
      last_id integer, broken_at integer, reason text
    )`,
  ],
}
