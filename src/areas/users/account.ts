import { type RowWrite, type Step, step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { checkUsername, lastUserUid } from '../../host/accounts.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Users } from './context.ts'
import { uidsLock } from './locks.ts'
import { AccountFixed, UsernameTaken } from './problems.ts'
import { accountUids, type UserRow } from './store.ts'

/** The part of a change that creates a Linux account. */
interface NewAccount {
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
  readonly locks: readonly Lock[]
}

export const noAccount: NewAccount = { steps: [], rows: [], locks: [] }

/**
 * Returns what creates the Linux account of a user who has none; nothing where the user already owns this
 * account.
 */
export async function addAccount(
  on: Users,
  user: UserRow,
  username: string | undefined,
): Promise<NewAccount> {
  if (username === undefined || username === user.username) return noAccount
  if (user.username !== null)
    throw AccountFixed(
      `username: ${user.email} owns the Linux account ${user.username}, which cannot be changed`,
    )
  return createAccount(on, username)
}

/**
 * Returns what creates the Linux account of a new user, with a uid that no account has had. System accounts and those of others are
 * refused (decision 3.19).
 */
export async function createAccount(
  { queries, accounts, tools }: Users,
  username: string,
): Promise<NewAccount> {
  checkUsername(username)
  const { healthy, reason } = await accounts.detect()
  if (!healthy) throw Unavailable(`username: ${reason}`)
  if (await queries.byUsername(username)) throw UsernameTaken(`username: ${username} belongs to another user`)
  if (await accounts.find(username))
    throw UsernameTaken(
      `username: the host already has an account ${username}; register it instead of creating it`,
    )
  const uid = Math.max(await accounts.highestUid(), await queries.highestUid(lastUserUid)) + 1
  if (uid > lastUserUid)
    throw Unavailable(`username: every uid up to ${lastUserUid} has belonged to an account of this host`)
  return {
    steps: [step(tools.accounts.steps.create, { username, uid })],
    rows: [accountUids.insert({ uid })],
    locks: [uidsLock],
  }
}
