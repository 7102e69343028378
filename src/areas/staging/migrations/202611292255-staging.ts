import type { Migration } from '../../../core/area.ts'

/** Websites that are copies of others. */
export const createStaging: Migration = {
  name: '202611292255-staging',
  statements: [
    `create table staging_copies (
      website_id integer primary key references websites (id) on delete cascade,
      origin_id integer references websites (id) on delete set null,
      user_id integer not null references users (id) on delete cascade,
      created_at text not null,
      pushed_at text
    )`,
    'create index staging_copies_user on staging_copies (user_id)',
    'create index staging_copies_origin on staging_copies (origin_id)',
  ],
}
