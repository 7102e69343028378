import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { type AccountAccess, noAccess } from '../../host/account-access.ts'
import type { Accounts } from '../../host/accounts.ts'

/** The step that locks a Linux account and ends its processes. Its home, its files and its uid stay. */
export function lockAccount(
  accounts: Accounts,
): StepKind<{ readonly username: string }, Was<AccountAccess>, null> {
  return stateStep({
    name: 'accounts.lock',
    plan: ({ username }: { readonly username: string }) => ({
      title: `Lock the Linux account ${username}: nobody can sign in to it, its programs end, its home stays`,
      commands: [['usermod', '--lock', '--expiredate', '1', '--shell', noAccess.shell, '--', username]],
    }),
    notUndone: 'the user of the panel who owned the account no longer exists',
    read: ({ username }) => accounts.access(username),
    wanted: (_args, was) => was && noAccess,
    write: async ({ username }, access, { run }) => {
      if (access === undefined) return
      await accounts.setAccess(username, access)
      const account = run && (await accounts.find(username))
      if (account) await accounts.endProcesses(account)
    },
  })
}
