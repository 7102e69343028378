import { type Step, step } from '../../core/change.ts'
import { checkUsername } from '../../host/accounts.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Users } from './context.ts'
import { UsernameTaken } from './problems.ts'

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
