import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { accountComment, AccountFailed } from '../../host/accounts.ts'
import type { Host } from '../../host/index.ts'
import { accountName, homeDirectory } from './layout.ts'

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

const adding = [
  'useradd',
  '--system',
  '--user-group',
  '--no-create-home',
  '--home-dir',
  homeDirectory,
  '--comment',
  accountComment,
  '--shell',
  '/usr/sbin/nologin',
  '--',
  accountName,
] as const

/** Removes the account of the gateway. */
export const removeAccount = (run: Host['run']): Promise<void> => must(run, ['userdel', '--', accountName])

/** The step that makes the system account of the gateway, which cannot sign in. */
export function makeAccount({
  accounts,
  run,
}: Pick<Host, 'accounts' | 'run'>): StepKind<null, Was<boolean>, null> {
  return stateStep<null, boolean>({
    name: 'pm2.make-account',
    plan: () => ({
      title: `Make the system account ${accountName}, unless it exists`,
      commands: [adding],
    }),
    read: async () => ((await accounts.find(accountName)) === undefined ? undefined : true),
    wanted: () => true,
    write: async (_args, exists) => (exists ? must(run, adding) : removeAccount(run)),
  })
}

async function must(run: Host['run'], argv: readonly [string, ...string[]]): Promise<void> {
  const { code, stderr } = await run(argv, limits)
  if (code !== 0)
    throw AccountFailed(
      `${accountName}: ${argv[0]}: ${(stderr.trim() || `exit status ${code}`).slice(0, 2000)}`,
    )
}
