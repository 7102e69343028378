import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { BadRequest, NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Account } from '../../host/accounts.ts'
import { endKeysOfOthers, noKeysEnded } from './api-keys.ts'
import type { Users } from './context.ts'
import { detailsOfLastingAccess } from './lasting-access.ts'
import { accountLock, userLock } from './locks.ts'
import type { SudoDraft } from './model.ts'
import { assertMaySetSudo } from './rights.ts'

/** Finds the Linux account of a panel user by their id, or by its own name; fails with 404. */
export async function accountNamed(on: Users, uid: string): Promise<Account> {
  const name = /^\d+$/.test(uid) ? (await on.queries.byId(Number(uid)))?.username : uid
  const account = name ? await on.accounts.find(name) : undefined
  if (account === undefined) throw NotFound(`uid: no Linux account belongs to ${uid}`)
  return account
}

/** Tells if an account has passwordless sudo. */
export async function readSudo(on: Users, { username }: Account): Promise<{ sudo: boolean }> {
  return { sudo: await on.tools.sudo.isOn(username) }
}

/**
 * Finds the account whose sudo the caller may switch. Accounts of the system are no hosting users, and never get the
 * rights of root.
 */
export async function settableAccount(
  on: Users,
  { username, sudo }: SudoDraft,
  caller: Caller,
): Promise<Account> {
  assertMaySetSudo(caller, await on.queries.byUsername(username), sudo)
  const account = await on.accounts.find(username)
  if (account === undefined) throw NotFound(`username: the host has no account ${username}`)
  if (account.uid < 1000 || account.uid >= 65_534)
    throw BadRequest(`username: ${username} is an account of the system`)
  return account
}

/** Switches passwordless sudo of an account on or off. With sudo the rights of its user grow to those of root. */
export async function setSudo(
  on: Users,
  { username, uid }: Account,
  isOn: boolean,
): Promise<Change<{ success: true }>> {
  const owner = isOn ? await on.queries.byUsername(username) : undefined
  const ended = owner ? await endKeysOfOthers(on, owner) : noKeysEnded
  return change({
    summary: `${isOn ? 'Switch on' : 'Switch off'} passwordless sudo of ${username}`,
    details: [...ended.details, ...(owner ? await detailsOfLastingAccess(on, owner, ended) : [])],
    locks: [accountLock(username), ...(owner ? [userLock(owner.email)] : [])],
    rows: ended.rows,
    steps: [step(on.tools.sudo.steps.set, { username, uid, isOn })],
    reply: success,
  })
}
