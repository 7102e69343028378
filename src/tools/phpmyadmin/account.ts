import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { accountComment, AccountFailed } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import { accountName, directory } from './layout.ts'

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

const adding = [
  'useradd',
  '--system',
  '--user-group',
  '--no-create-home',
  '--home-dir',
  directory,
  '--comment',
  accountComment,
  '--shell',
  '/usr/sbin/nologin',
  '--',
  accountName,
] as const

/** The step that makes the system account of phpMyAdmin, which cannot sign in; returns its uid. */
export function makeAccount({
  accounts,
  run,
}: Pick<Host, 'accounts' | 'run'>): StepKind<null, Was<boolean>, { uid: number }> {
  const must = async (argv: readonly [string, ...string[]]) => {
    const { code, stderr } = await run(argv, limits)
    if (code !== 0)
      throw AccountFailed(
        `${accountName}: ${argv[0]}: ${(stderr.trim() || `exit status ${code}`).slice(0, 2000)}`,
      )
  }
  const find = () => accounts.find(accountName)
  return stateStep<null, boolean, { uid: number }>({
    name: 'phpmyadmin.make-account',
    plan: () => ({
      title: `Make the system account ${accountName}, unless it exists`,
      commands: [adding],
    }),
    read: async () => ((await find()) === undefined ? undefined : true),
    wanted: () => true,
    write: async (_args, exists) => must(exists ? adding : ['userdel', '--', accountName]),
    result: async () => ({ uid: (await find())?.uid ?? 0 }),
  })
}
