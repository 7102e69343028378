import type { Migration } from '../../../core/area.ts'

/** Administrators switch SFTP, shells and passwords of single accounts. */
export const createSshAccess: Migration = {
  name: '202611230701-ssh-access',
  statements: [
    `create table ssh_access (
      user_id integer primary key references users (id) on delete cascade, sftp integer not null, runs_commands integer not null,
      takes_password integer not null
    )`,
  ],
}
