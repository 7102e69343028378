import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { accountComment, UsernameTaken } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'

export interface CreateAccountArgs {
  readonly username: string
  readonly canSignIn?: boolean
  /** The next free one if absent. */
  readonly uid?: number
}

/** The state of an account; one that was not created by this step lacks these marks, and is left alone. */
interface AccountState {
  readonly isOurs: boolean
  /** Absent if the creation was interrupted before the web server could traverse the home. */
  readonly isWhole?: true
}

/**
 * The step that creates a Linux account. Its undo removes the home only if it contains nothing but the
 * initial content of a new home.
 */
export function createAccount({
  accounts,
  files,
}: Pick<Host, 'accounts' | 'files'>): StepKind<CreateAccountArgs, Was<AccountState>, null> {
  const remove = async (username: string) => {
    const skeleton = new Set(await files.list('/etc/skel'))
    const kept = (await files.list(`/home/${username}`)).some((name) => !skeleton.has(name))
    await accounts.remove(username, { keepHome: kept })
  }
  const taken = ({ username }: CreateAccountArgs) =>
    UsernameTaken(`username: ${username} is taken on this host`)
  return stateStep<CreateAccountArgs, AccountState>({
    name: 'accounts.create',
    plan: ({ username, uid }) => ({
      title: `Create the Linux account ${username} with the home /home/${username}`,
      commands: [
        ['useradd', '--create-home', ...(uid === undefined ? [] : ['--uid', String(uid)]), '--', username],
      ],
    }),
    refuse: (args, now) => {
      if (now !== undefined) throw taken(args)
    },
    notUndone: 'sites and files may belong to the account by now',
    conflict: taken,
    read: async ({ username }) => {
      const account = await accounts.find(username)
      if (account === undefined) return undefined
      const isOurs = account.comment === accountComment
      return { isOurs, ...((await accounts.isWhole(account)) && { isWhole: true }) }
    },
    wanted: () => ({ isOurs: true, isWhole: true }),
    write: ({ username, ...options }, state) =>
      state === undefined ? remove(username) : accounts.create(username, options),
  })
}
