import type { StepKind } from '../../core/change.ts'
import { EditedByHand } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { dropInDirectory } from './drop-in.ts'
import { assertInEffect, checkDropIn, reloadSshd } from './sshd.ts'

interface AuditingArgs {
  readonly enabled: boolean
  /** True if a file that was edited by hand is replaced. */
  readonly overwrite: boolean
}

type SshdHost = Pick<Host, 'run' | 'files' | 'services'>

const path = `${dropInDirectory}/10-hostreeve-audit.conf`
const content = `# Written by Hostreeve for the SSH audit: sshd logs each session, and the key of each attempt.
    LogLevel VERBOSE
`

/** Makes the step that tells sshd to log each session. */
export function setAuditing(host: SshdHost): StepKind<AuditingArgs, Was<string>, null> {
  const { files } = host
  const wantedOf = ({ enabled }: AuditingArgs) => (enabled ? content : undefined)
  return stateStep<AuditingArgs, string>({
    name: 'openssh.set-auditing',
    plan: ({ enabled }) => ({
      title: enabled ? 'Let sshd log each session' : 'Let sshd log as it does by default',
      commands: [['sshd', '-t']],
      reloads: ['ssh'],
    }),
    preview: async (args) => ({
      files: [{ path, diff: unifiedDiff(path, await files.read(path), wantedOf(args)) }],
    }),
    read: () => files.read(path),
    wanted: wantedOf,
    refuse: (args, now) => {
      if (now === undefined || now === content || args.overwrite) return
      throw EditedByHand(`${path} was edited by hand`, {
        fields: { path, diff: unifiedDiff(path, now, wantedOf(args)) },
      })
    },
    write: async (_args, state) => {
      if (state === undefined) await files.remove(path)
      else {
        await checkDropIn(host, state)
        await files.write(path, state)
        if (state === content) await assertInEffect(host, 'root', content)
      }
      await reloadSshd(host)
    },
  })
}

/** Returns whether the file that tells sshd to log each session is in place. */
export async function auditingState(files: Host['files']): Promise<'applied' | 'differs' | 'absent'> {
  const now = await files.read(path)
  if (now === undefined) return 'absent'
  return now === content ? 'applied' : 'differs'
}
