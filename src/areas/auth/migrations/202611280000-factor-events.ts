import type { Migration } from '../../../core/area.ts'

/** The last time of each event of a second factor that its user is told of. */
export const createFactorEvents: Migration = {
  name: '202611280000-factor-events',
  statements: [
    `create table factor_events (
      user_id integer not null references users (id) on delete cascade, kind text not null, happened_at text not null,
      primary key (user_id, kind)
    )`,
  ],
}
