import { Unavailable } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { Users } from './context.ts'
import { accountOf } from './find.ts'

type Finding = Pick<Users, 'queries' | 'accounts'>

/** Returns the Linux account of a user name; fails with 503 where this host has none. */
export async function loadAccount(users: Finding, username: string, find = accountOf): Promise<Account> {
  const account = await find(users, username)
  if (account === undefined) throw Unavailable(`The Linux account ${username} does not exist on this host`)
  return account
}

/** The homes of users, by their user names; they fail with 503 where this host has no such account. */
export interface Homes {
  /** Opens the files of a home under the uid of its owner. */
  readonly ownerOf: (username: string) => Promise<Owner>
  /** Returns the path of a home. */
  readonly homeOf: (username: string) => Promise<string>
}

/**
 * Binds the homes to the accounts of this host; with `accountInChange` also to those that the same change has
 * created.
 */
export function openHomes({ owners }: Pick<Host, 'owners'>, users: Finding, find = accountOf): Homes {
  return {
    ownerOf: async (username) => {
      const account = await loadAccount(users, username, find)
      return owners.of({ ...account, name: account.username })
    },
    homeOf: async (username) => (await loadAccount(users, username, find)).home,
  }
}
