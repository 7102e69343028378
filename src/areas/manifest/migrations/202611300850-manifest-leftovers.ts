import type { Migration } from '../../../core/area.ts'

export const createLeftovers: Migration = {
  name: '202611300850-manifest-leftovers',
  statements: [
    'create table manifest_leftovers (job_id integer primary key, message text not null, created_at text not null)',
  ],
}
