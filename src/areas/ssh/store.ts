import { boolean, ref, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'

/** The keys that were added in the panel; the file of the account is the source of truth. */
export const sshKeys = table('ssh_keys', {
  user_id: ref('users', { key: true }),
  fingerprint: text(50, { key: true }),
  added_at: time(),
})

/** What an administrator has set; a user without a row has what the account has anyway. */
export const sshAccess = table('ssh_access', {
  user_id: ref('users', { key: true }),
  sftp: boolean(),
  runs_commands: boolean(),
  takes_password: boolean(),
})
export type SshAccessRow = RowOf<typeof sshAccess>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly ssh_keys: RowOf<typeof sshKeys>
    readonly ssh_access: SshAccessRow
  }
}

/** Returns this area's queries. */
export function sshQueries({ db }: Store) {
  return {
    /** Returns what was set for a user. */
    accessOf: async (userId: number): Promise<SshAccessRow> =>
      (await db.selectFrom('ssh_access').selectAll().where('user_id', '=', userId).executeTakeFirst()) ??
      sshAccess.row({ user_id: userId, sftp: true, runs_commands: true, takes_password: false }),
    /** Returns when the keys of a user were added, by fingerprint. */
    addedAt: async (userId: number): Promise<ReadonlyMap<string, string>> => {
      const rows = await db.selectFrom('ssh_keys').selectAll().where('user_id', '=', userId).execute()
      return new Map(rows.map(({ fingerprint, added_at }) => [fingerprint, added_at]))
    },
  }
}

export type SshQueries = ReturnType<typeof sshQueries>
