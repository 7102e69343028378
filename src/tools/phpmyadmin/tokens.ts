import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { digestOf } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import { accountName, tokensDirectory } from './layout.ts'
import { TokenFailed } from './problems.ts'
import type { SignOn } from './sign-on.ts'

interface TokenArgs extends SignOn {
  /** 64 hexadecimal digits; the file is named for its digest, so that its name lets nobody in. */
  readonly token: string
}

/** The step that writes a one-time file, which only the account of phpMyAdmin reads and removes. */
export function writeToken({
  accounts,
  files,
}: Pick<Host, 'accounts' | 'files'>): StepKind<TokenArgs, Was<true>, null> {
  const pathOf = ({ token }: TokenArgs) => `${tokensDirectory}/${digestOf(token)}`
  const write = async (args: TokenArgs) => {
    const account = await accounts.find(accountName)
    if (account === undefined)
      throw TokenFailed(`The account ${accountName} does not exist: install phpMyAdmin again`)
    const { user, password, expires } = args
    await files.write(pathOf(args), JSON.stringify({ user, password, expires }), {
      rights: { uid: account.uid, gid: account.gid, mode: 0o600 },
    })
  }
  return stateStep<TokenArgs, true>({
    name: 'phpmyadmin.write-token',
    plan: ({ user }) => ({ title: `Write a one-time file that signs ${user} in to phpMyAdmin` }),
    refuse: async () => {
      if ((await files.facts(tokensDirectory)) === undefined)
        throw TokenFailed(`${tokensDirectory} does not exist: install phpMyAdmin again`)
    },
    read: async (args) => ((await files.facts(pathOf(args))) === undefined ? undefined : true),
    wanted: () => true,
    notUndone: 'it signed somebody in, or has expired',
    write: async (args, isWanted) => (isWanted ? write(args) : files.remove(pathOf(args))),
  })
}

/** Removes the one-time files that were not used in time: they contain passwords. Returns their number. */
export async function removeExpired({ files }: Pick<Host, 'files'>, before: Date): Promise<number> {
  let removed = 0
  for (const name of await files.list(tokensDirectory)) {
    const path = `${tokensDirectory}/${name}`
    if (((await files.changedAt(path)) ?? before) >= before) continue
    await files.remove(path)
    removed += 1
  }
  return removed
}
