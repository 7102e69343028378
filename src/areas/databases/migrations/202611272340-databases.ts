import type { Migration } from '../../../core/area.ts'

export const createDatabases: Migration = {
  name: '202611272340-databases',
  statements: [
    `create table databases (
      id integer primary key, engine text not null, name text not null unique, user_id integer references users (id),
      website_id integer references websites (id), created_at text not null, updated_at text not null,
      revision integer not null
    )`,
    'create index databases_by_website on databases (website_id)',
    'create index databases_by_user on databases (user_id)',
    `create table database_accounts (
      username text not null, host text not null, database_id integer not null references databases (id),
      primary key (username, host)
    )`,
    'create index database_accounts_by_database on database_accounts (database_id)',
  ],
}
