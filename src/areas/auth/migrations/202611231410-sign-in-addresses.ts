import type { Migration } from '../../../core/area.ts'

/** The addresses that users have signed in from, so that a new one is told of. */
export const createSignInAddresses: Migration = {
  name: '202611231410-sign-in-addresses',
  statements: [
    `create table sign_in_addresses (
      user_id integer not null references users (id) on delete cascade, ip text not null, first_at text not null,
      user_agent text not null, is_first integer not null, primary key (user_id, ip)
    )`,
    // those known at the upgrade are told of to nobody
    'insert into sign_in_addresses select user_id, ip, min(created_at), user_agent, 1 from sessions group by user_id, ip',
    'create index sign_in_addresses_by_time on sign_in_addresses (is_first, first_at)',
  ],
}
