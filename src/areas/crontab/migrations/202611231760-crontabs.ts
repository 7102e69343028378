import type { Migration } from '../../../core/area.ts'

export const createCrontabs: Migration = {
  name: '202611231760-crontabs',
  statements: [
    `create table website_crontabs (
      website_id integer primary key references websites (id) on delete cascade, crontab text not null
    )`,
  ],
}
