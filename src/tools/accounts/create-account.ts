import type { StepKind } from '../../core/change.ts'
import type { Account } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'

export interface CreateAccountArgs {
  readonly username: string
  readonly canSignIn?: boolean
}

export interface CreateAccountBefore {
  readonly wasThere: boolean
}

/** The step that makes a Linux account. Going back removes the home only while it holds nothing but what every new home holds. */
export function createAccount({
  accounts,
  files,
}: Host): StepKind<CreateAccountArgs, CreateAccountBefore, Account> {
  return {
    name: 'accounts.create',
    plan: ({ username }) => ({
      title: `Create the Linux account ${username} with the home /home/${username}`,
      commands: [['useradd', '--create-home', '--', username]],
    }),
    observe: async ({ username }) => ({ wasThere: (await accounts.find(username)) !== undefined }),
    act: ({ username, canSignIn }) => accounts.create(username, canSignIn === undefined ? {} : { canSignIn }),
    undo: async ({ username }, before) => {
      if (before.wasThere) return
      const skeleton = new Set(await files.list('/etc/skel'))
      const kept = (await files.list(`/home/${username}`)).some((name) => !skeleton.has(name))
      await accounts.remove(username, { keepHome: kept })
    },
    check: async ({ username }, before) => {
      if (before.wasThere) return 'before'
      const account = await accounts.find(username)
      if (account === undefined) return 'before'
      return (await accounts.isWhole(account)) ? 'wanted' : 'other'
    },
  }
}
