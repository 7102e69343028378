import type { Migration } from '../../../core/area.ts'

/** Packages, the limits of users, and the sizes of their homes as they were measured last. */
export const createLimits: Migration = {
  name: '202611241110-limits',
  statements: [
    'create table limit_packages (name text primary key, limits text not null)',
    `create table user_limits (
      user_id integer primary key references users (id) on delete cascade,
      package text, limits text not null
    )`,
    `create table home_sizes (
      user_id integer primary key references users (id) on delete cascade,
      bytes integer not null, measured_at text not null
    )`,
  ],
}
