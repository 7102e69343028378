import type { Migration } from '../../../core/area.ts'

/** The panel keeps when a key was added; the key itself is in the home of its owner. */
export const createSshKeys: Migration = {
  name: '202611230700-ssh-keys',
  statements: [
    `create table ssh_keys (
      user_id integer not null references users (id) on delete cascade, fingerprint text not null, added_at text not null,
      primary key (user_id, fingerprint)
    )`,
  ],
}
