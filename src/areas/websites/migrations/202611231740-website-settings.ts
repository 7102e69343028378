import type { Migration } from '../../../core/area.ts'

/** Sites are served as PHP or by an upstream, too. A website without a row here has the defaults. */
export const createWebsiteSettings: Migration = {
  name: '202611231740-website-settings',
  statements: [
    `create table website_settings (
      website_id integer primary key references websites (id) on delete cascade, settings text not null, passwords text
    )`,
  ],
}
