import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { AccountFailed, type Accounts } from '../../host/accounts.ts'
import type { Files } from '../../host/files.ts'

export interface OpenHomeArgs {
  readonly username: string
  /** The group of the web server. */
  readonly gid: number
}

interface HomeRights {
  readonly gid: number
  readonly mode: number
}

/** The step that lets the web server traverse the home of an account that the panel did not make. */
export function openHome({
  accounts,
  files,
}: {
  readonly accounts: Accounts
  readonly files: Files
}): StepKind<OpenHomeArgs, Was<HomeRights>, null> {
  return stateStep<OpenHomeArgs, HomeRights>({
    name: 'accounts.open-home',
    plan: ({ username }) => ({
      title: `Let the web server, and no other account, traverse the home of ${username}`,
    }),
    read: async ({ username }) => {
      const account = await accounts.find(username)
      const facts = account && (await accounts.ownHome(account))
      return facts && { gid: facts.gid, mode: facts.mode }
    },
    wanted: ({ gid }, was) => was && { gid, mode: (was.mode & 0o700) | 0o010 },
    write: async ({ username }, rights) => {
      const account = await accounts.find(username)
      if (account === undefined || rights === undefined)
        throw AccountFailed(`${username}: the account or its home is gone`)
      await files.makeDirectory(account.home, { uid: account.uid, ...rights })
    },
  })
}
