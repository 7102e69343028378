import type { Migration } from '../../../core/area.ts'

export const createWebsiteBackups: Migration = {
  name: '202611280430-website-backups',
  statements: [
    `create table backup_sets (
      id integer primary key, website_id integer not null references websites (id), name text not null,
      files integer not null, databases integer not null, schedule text not null, keep integer not null,
      unique (website_id, name)
    )`,
    `create table bulk_restores (id integer primary key, sites text not null, started_at text not null)`,
  ],
}
