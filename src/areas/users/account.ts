import { type Step, step } from '../../core/change.ts'
import type { Accounts } from '../../host/accounts.ts'
import { UsernameTaken } from './problems.ts'
import type { UserQueries } from './store.ts'

/** The step that makes the Linux account of a new user. System accounts and those of others are refused (decision 3.19). */
export async function createAccount(username: string, queries: UserQueries, accounts: Accounts): Promise<readonly Step[]> {
  if (await queries.byUsername(username)) throw UsernameTaken(`username: ${username} belongs to another user`)
  if (await accounts.find(username)) throw UsernameTaken(`username: the host has an account ${username} already; register it instead of creating it`)
  return [step(accounts.steps.create, { username })]
}
