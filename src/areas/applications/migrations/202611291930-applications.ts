import type { Migration } from '../../../core/area.ts'

/** The applications that were installed in websites, one in each. */
export const createApplications: Migration = {
  name: '202611291930-applications',
  statements: [
    `create table applications (
      website_id integer primary key references websites (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      application text not null,
      version text,
      administrator text,
      created_at text not null
    )`,
    'create index applications_user on applications (user_id)',
  ],
}
