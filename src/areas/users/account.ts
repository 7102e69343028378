import { type Step, step } from '../../core/change.ts'
import { checkUsername, type Accounts } from '../../host/accounts.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { Unavailable } from '../../core/problem.ts'
import { UsernameTaken } from './problems.ts'
import type { UserQueries } from './store.ts'

/**
 * Returns the step that creates the Linux account of a new user. System accounts and those of others are
 * refused (decision 3.19).
 */
export async function createAccount(
  username: string,
  { queries, accounts, tools }: AccountParts,
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

interface AccountParts {
  readonly queries: UserQueries
  readonly accounts: Accounts
  readonly tools: Pick<Tools, 'accounts'>
}
