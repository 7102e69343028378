import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { AccountAccess, Accounts } from '../../host/accounts.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import { shownExpiry } from './facts.ts'

interface AccessArgs {
  readonly username: string
  readonly shell: string
  /** In days since 1970; empty for never. */
  readonly expires: string
}

/** Makes the kind of step that gives an account the shell and the expiry that the panel had set. Its password stays. */
export function accountStep(
  accounts: Pick<Accounts, 'access' | 'setAccess'>,
): StepKind<AccessArgs, Was<AccountAccess>, null> {
  const read = ({ username }: AccessArgs) => accounts.access(username)
  const wanted = ({ shell, expires }: AccessArgs, was: AccountAccess | undefined) =>
    was && { ...was, shell, expires }
  return stateStep<AccessArgs, AccountAccess>({
    name: 'drift.set-access',
    plan: ({ username, shell, expires }) => ({
      title: `Set the shell and the expiry of the Linux account ${username}`,
      commands: [['usermod', '--shell', shell, '--expiredate', expires, '--', username]],
    }),
    ...plannedObject<AccessArgs, AccountAccess>({
      object: ({ username }) => username,
      read,
      wanted,
      show: ({ shell, expires }) => `shell ${shell}, expires ${shownExpiry(expires)}`,
    }),
    read,
    wanted,
    write: async ({ username }, access) => {
      if (access !== undefined) await accounts.setAccess(username, access)
    },
  })
}
