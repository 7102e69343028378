import type { Migration } from '../../../core/area.ts'

/** What users typed into the network tools. */
export const createNettools: Migration = {
  name: '202611280020-nettools',
  statements: [
    `create table nettools_history (
      id integer primary key, user_id integer not null references users (id) on delete cascade,
      field text not null, value text not null
    )`,
    'create index nettools_history_user on nettools_history (user_id, field, id)',
  ],
}
