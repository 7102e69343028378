import type { Migration } from '../../../core/area.ts'

export const createWebsites: Migration = {
  name: '202611211300-websites',
  statements: [
    `create table websites (
      id integer primary key, domain text not null unique, user_id integer not null references users (id), username text not null,
      type text not null, root text not null, is_suspended integer not null, created_at text not null, updated_at text not null,
      revision integer not null
    )`,
    'create index websites_by_user on websites (user_id)',
    `create table website_aliases (
      name text primary key, website_id integer not null references websites (id) on delete cascade
    )`,
    'create index website_aliases_by_website on website_aliases (website_id)',
  ],
}
