import type { StepKind } from '../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import { accountComment, type Accounts } from '../../host/accounts.ts'
import { accountName, home } from './layout.ts'
import { AccountTaken } from './problems.ts'

/** The step that makes the account of the assistant, which cannot sign in, unless it exists. */
export const makeAccount = (accounts: Accounts): StepKind<null, Was<boolean>, null> =>
  stateStep<null, boolean>({
    name: 'openclaw.make-account',
    plan: () => ({
      title: `Make the Linux account ${accountName}, which cannot sign in, unless it exists`,
      objects: [{ name: accountName, before: null, after: home }],
    }),
    read: async () => ((await accounts.find(accountName)) === undefined ? undefined : true),
    refuse: async () => {
      const account = await accounts.find(accountName)
      if (account !== undefined && account.comment !== accountComment)
        throw AccountTaken(`The Linux account ${accountName} is in use: remove it, or rename it with usermod`)
    },
    wanted: () => true,
    write: async (_args, exists) => {
      if (exists) await accounts.create(accountName, { canSignIn: false })
      else await accounts.remove(accountName, { keepHome: false })
    },
  })

/** The step that removes the account of the assistant with its home. */
export const removeAccount = (accounts: Accounts): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'openclaw.remove-account',
    plan: () => ({
      title: `Remove the Linux account ${accountName} with its home, its memory and its conversations`,
      commands: [['userdel', '--remove', '--', accountName]],
    }),
    why: 'the account and its files are gone for good',
    act: async () => {
      const account = await accounts.find(accountName)
      if (account?.comment === accountComment) await accounts.remove(accountName, { keepHome: false })
      return null
    },
    isDone: async () => (await accounts.find(accountName)) === undefined,
  })
