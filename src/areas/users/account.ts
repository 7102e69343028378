import { type Step, step } from '../../core/change.ts'
import { checkUsername } from '../../host/accounts.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Users } from './context.ts'
import { AccountFixed, UsernameTaken } from './problems.ts'
import type { UserRow } from './store.ts'

/**
 * Returns the step that creates the Linux account of a user who has none; nothing where the user already owns this
 * account.
 */
export async function addAccount(
  on: Users,
  user: UserRow,
  username: string | undefined,
): Promise<readonly Step[]> {
  if (username === undefined || username === user.username) return []
  if (user.username !== null)
    throw AccountFixed(
      `username: ${user.email} owns the Linux account ${user.username}, which cannot be changed`,
    )
  return createAccount(on, username)
}

/**
 * Returns the step that creates the Linux account of a new user. System accounts and those of others are
 * refused (decision 3.19).
 */
export async function createAccount(
  { queries, accounts, tools }: Users,
  username: string,
): Promise<readonly Step[]> {
  checkUsername(username)
  const { healthy, reason } = await accounts.detect()
  if (!healthy) throw Unavailable(`username: ${reason}`)
  if (await queries.byUsername(username)) throw UsernameTaken(`username: ${username} belongs to another user`)
  if (await accounts.find(username))
    throw UsernameTaken(
      `username: the host already has an account ${username}; register it instead of creating it`,
    )
  return [step(tools.accounts.steps.create, { username })]
}
