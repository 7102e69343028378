import type { StepKind } from '../../core/change.ts'
import { EditedByHand, Problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { ServiceFailed } from '../../host/services.ts'
import { dropInDirectory } from './drop-in.ts'
import { SshdRefused } from './problems.ts'
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
    write: async (_args, state, { run }) => {
      const isUndo = run === undefined
      // sshd reloads nothing while any of its files is broken: that is found before one of them is removed
      if (!isUndo) await checkDropIn(host, state ?? '')
      await (state === undefined ? files.remove(path) : files.write(path, state))
      if (!isUndo && state === content) await assertInEffect(host, 'root', content)
      await reload(host, isUndo)
    },
  })
}

/** A reload that sshd refused has changed nothing, so that the way back has its file again and needs none. */
async function reload(host: SshdHost, isUndo: boolean): Promise<void> {
  try {
    await reloadSshd(host)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== ServiceFailed) throw error
    if (!isUndo) throw SshdRefused(error.message, { cause: error })
  }
}

/** Returns whether the file that tells sshd to log each session is in place. */
export async function auditingState(files: Host['files']): Promise<'applied' | 'differs' | 'absent'> {
  const now = await files.read(path)
  if (now === undefined) return 'absent'
  return now === content ? 'applied' : 'differs'
}
