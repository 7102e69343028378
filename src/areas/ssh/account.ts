import type { Caller } from '../../core/caller.ts'
import { Forbidden } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import { accountOf, assertMayActAs, assertMayEdit, loadUser, type UserRow } from '../users/index.ts'
import type { Ssh } from './context.ts'
import { NoAccount } from './problems.ts'

/** A panel user with their Linux account. */
export interface SshUser {
  readonly user: UserRow
  readonly account: Account
}

/** Loads a user for a caller who may see their SSH access: oneself, or with the permission to manage users (decision 4.17). */
export async function seenUser(on: Ssh, uid: number, caller: Caller): Promise<SshUser> {
  const isOwn = caller.user.id === uid
  if (!isOwn && !caller.user.isAdmin && !caller.permissions.has('booting_users_management'))
    throw Forbidden('uid: without the permission to manage users you reach your own SSH keys only')
  const user = await loadUser(on.users, uid)
  return { user, account: await accountOfUser(on, user) }
}

/** Loads a user whose SSH access the caller may restrict (decision 2.4). */
export async function editableUser(on: Ssh, uid: number, caller: Caller): Promise<SshUser> {
  const found = await seenUser(on, uid, caller)
  if (caller.user.id !== uid) assertMayEdit(caller, found.user)
  return found
}

/**
 * Loads a user as whom the caller may let others sign in: a key gives its holder all that the account may do, so the
 * caller may do it too.
 */
export async function entrustedUser(on: Ssh, uid: number, caller: Caller): Promise<SshUser> {
  const found = await editableUser(on, uid, caller)
  if (caller.user.id !== uid) await assertMayActAs(on.users, caller, found.user, 'a key')
  return found
}

async function accountOfUser({ users }: Ssh, { email, username }: UserRow): Promise<Account> {
  if (username === null) throw NoAccount(`uid: ${email} has no Linux account, which SSH needs`)
  const account = await accountOf(users, username)
  if (account === undefined)
    throw NoAccount(`uid: the Linux account ${username} of ${email} is not an ordinary account of this host`)
  return account
}
