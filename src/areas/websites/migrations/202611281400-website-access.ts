import type { Migration } from '../../../core/area.ts'

/** Owners whose websites obey access rules, with the digest of the rules that nginx loads. */
export const createWebsiteAccess: Migration = {
  name: '202611281400-website-access',
  statements: [
    `create table website_access (
      user_id integer primary key references users (id) on delete cascade, digest text not null, is_closed integer not null
    )`,
  ],
}
