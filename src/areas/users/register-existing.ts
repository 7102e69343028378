import { normalize } from 'node:path'
import type { Caller } from '../../core/caller.ts'
import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Forbidden, Unavailable } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import { furtherRight } from './act-as.ts'
import type { Users } from './context.ts'
import { accountLock, userLock } from './locks.ts'
import type { ExistingUserDraft, User } from './model.ts'
import { hashNewPassword } from './passwords.ts'
import { AccountUnsuitable, UsernameTaken } from './problems.ts'
import { assertMayCreateAdmin, grantable } from './rights.ts'
import { showUser, users } from './store.ts'
import { grants, refuseTaken, userRow } from './users.ts'

/** Creates a panel user who owns a Linux account that the host has already. */
export async function registerExisting(
  on: Users,
  draft: ExistingUserDraft,
  { caller, id, now }: Deciding,
): Promise<Change<User>> {
  assertMayCreateAdmin(caller, draft.is_admin)
  const granted = grantable(caller, draft.permissions ?? [], [])
  const email = draft.email.toLowerCase()
  await refuseTaken(on, email)
  const account = await adoptable(on, draft.username, caller)
  const row = userRow({ ...draft, email }, id(users.name), now, await hashNewPassword(email, draft.password))
  return change({
    summary: `Register the Linux account ${account.username} for the new user ${email}`,
    locks: [userLock(email), accountLock(account.username)],
    steps: await openingOf(on, account),
    rows: [users.insert(row), ...grants(row, granted)],
    reply: showUser(row),
  })
}

/** A home that everybody may traverse stays as it is. */
async function openingOf({ accounts, tools }: Users, account: Account): Promise<readonly Step[]> {
  const [home, gid] = [await accounts.ownHome(account), await accounts.webGroup()]
  const isOpen = home === undefined || gid === undefined || (home.mode & 0o001) !== 0
  return isOpen ? [] : [step(tools.accounts.steps.openHome, { username: account.username, gid })]
}

async function adoptable(on: Users, username: string, caller: Caller): Promise<Account> {
  const { healthy, reason } = await on.accounts.detect()
  if (!healthy) throw Unavailable(`username: ${reason}`)
  if (await on.queries.byUsername(username))
    throw UsernameTaken(`username: ${username} belongs to another user`)
  const account = await on.accounts.find(username)
  if (account === undefined) throw AccountUnsuitable(`username: the host has no account ${username}`)
  if (account.uid < 1000 || account.uid >= 65_534)
    throw AccountUnsuitable(`username: ${username} is an account of the system`)
  if (!(await hasOwnHome(on, account)))
    throw AccountUnsuitable(
      `username: ${account.home} is not a directory of ${username} alone, outside the system`,
    )
  await refusePrivileged(on, username, caller)
  return account
}

/** Paths of the system; what is below them never becomes the home of a hosting user. */
const systemPaths = /^\/(bin|boot|dev|etc|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(\/|$)/

async function hasOwnHome({ accounts }: Users, account: Account): Promise<boolean> {
  const { home } = account
  const isBelow = home.startsWith('/') && home.split('/').length > 2 && normalize(home) === home
  return isBelow && !systemPaths.test(home) && (await accounts.ownHome(account)) !== undefined
}

/** The password and the files of such an account would give a caller rights beyond those of a hosting user. */
async function refusePrivileged(on: Users, username: string, caller: Caller): Promise<void> {
  const further = caller.user.isAdmin ? undefined : await furtherRight(on, username)
  if (further !== undefined)
    throw Forbidden(`username: ${username} ${further}: only a superuser may register the account`)
}
