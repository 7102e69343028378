import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import { leftoverFolders } from '../../host/account-leftovers.ts'
import type { Account, Accounts } from '../../host/accounts.ts'

export interface RemoveAccountArgs {
  readonly username: string
}

export interface RemoveAccountParts {
  readonly accounts: Accounts
  /** Removes what the owner of a home can remove, under their uid: root follows no path of theirs. */
  readonly empty: (account: Account, signal: AbortSignal) => Promise<void>
}

/** The step that removes a Linux account with its home. */
export function removeAccount({
  accounts,
  empty,
}: RemoveAccountParts): StepKind<RemoveAccountArgs, null, null> {
  return finalStep({
    name: 'accounts.remove',
    plan: ({ username }: RemoveAccountArgs) => ({
      title: `Remove the Linux account ${username} with its home and everything in it`,
      details: [
        `Its crontab and at jobs, and its files in ${leftoverFolders.join(', ')}, are removed as well`,
      ],
      commands: [['userdel', '--remove', '--', username]],
    }),
    why: 'the account and its files are gone for good',
    act: async ({ username }, { signal }) => {
      const account = await accounts.find(username)
      if (account === undefined) return null
      await empty(account, signal) // before the processes of the account end: one of them empties the home
      signal.throwIfAborted()
      await accounts.remove(username, { keepHome: false })
      return null
    },
    isDone: async ({ username }) => (await accounts.find(username)) === undefined,
  })
}
