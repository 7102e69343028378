import type { Account, Accounts } from '../../host/accounts.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Store } from '../../store/store.ts'
import { commandLineVerbs } from './command-line.ts'
import { userQueries } from './store.ts'
import { userVerbs } from './users.ts'

/** Opens the area on its store and the host's accounts. */
export function openUsers(store: Store, accounts: Accounts, tools: Pick<Tools, 'accounts'>) {
  const queries = userQueries(store)
  return {
    ...queries,
    ...userVerbs({ queries, accounts, tools }),
    /**
     * Returns the Linux account of a user name if it belongs to a panel user and is an ordinary account of
     * the host (decision 3.19); otherwise undefined.
     */
    accountOf: async (username: string): Promise<Account | undefined> => {
      const owner = await queries.byUsername(username)
      const account = owner && (await accounts.find(username))
      return account && account.uid >= 1000 ? account : undefined
    },
    ...commandLineVerbs(store, queries),
  }
}

export type Users = ReturnType<typeof openUsers>
