import type { Migration } from '../../../core/area.ts'

export const createMailboxVerifications: Migration = {
  name: '202611290130-mailbox-verifications',
  statements: [
    `create table mailbox_verifications (
      email text primary key, job_id integer not null, state text not null, message text not null,
      verified_at text not null, messages integer not null, server_messages integer,
      missing_messages integer not null, gone_messages integer not null, contents integer not null,
      missing_contents integer not null, damaged_contents integer not null, unused_objects integer not null,
      compared integer not null, differing integer not null
    )`,
  ],
}
