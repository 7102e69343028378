import type { Migration } from '../../../core/area.ts'

/** One row: whether websites may be created by others than superusers. */
export const createWebsiteCreation: Migration = {
  name: '202611231790-website-creation',
  statements: [
    'create table website_creation (id integer primary key, is_locked integer not null, revision integer not null)',
    'insert into website_creation values (1, 0, 1)',
  ],
}
