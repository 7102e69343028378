import type { StepKind } from '../../core/change.ts'
import { EditedByHand, Unavailable } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { ruleKey, rules, rulesPath } from './layout.ts'
import { RulesRefused } from './problems.ts'

interface RulesArgs {
  readonly enabled: boolean
  /** True if rules that were edited by hand are replaced. */
  readonly overwrite: boolean
}

type AuditHost = Pick<Host, 'run' | 'files'>
const limits = { timeoutMs: 30_000, maxBytes: 256 * 1024 }
const rights = { mode: 0o640 }

/** Makes the step that writes the rules which record commands, and has the kernel take them. */
export function writeRules(host: AuditHost): StepKind<RulesArgs, Was<string>, null> {
  const wantedOf = ({ enabled }: RulesArgs) => (enabled ? rules : undefined)
  return stateStep<RulesArgs, string>({
    name: 'auditd.write-rules',
    plan: ({ enabled }) => ({
      title: enabled ? 'Record the commands of every session' : 'Record no commands any more',
      commands: [['augenrules', '--load']],
    }),
    preview: async (args) => ({
      files: [
        {
          path: rulesPath,
          diff: unifiedDiff(rulesPath, await host.files.read(rulesPath), wantedOf(args)),
        },
      ],
    }),
    read: () => host.files.read(rulesPath),
    wanted: wantedOf,
    refuse: (args, now) => {
      if (now === undefined || now === rules || args.overwrite) return
      const diff = unifiedDiff(rulesPath, now, wantedOf(args))
      throw EditedByHand(`${rulesPath} was edited by hand`, { fields: { path: rulesPath, diff } })
    },
    write: async (_args, content, { run }) => {
      if (content === undefined) await host.files.remove(rulesPath)
      else await host.files.write(rulesPath, content, { rights })
      const isEnough = content === undefined || run === undefined
      await load(host, isEnough ? content?.includes(ruleKey) === true : undefined)
    },
    isInEffect: async () =>
      (await isLoaded(host)) === ((await host.files.read(rulesPath))?.includes(`-k ${ruleKey}`) ?? false),
  })
}

/**
 * Has the kernel take the files. Where it refuses those of others, or records nothing any more, it may be as wanted all the same:
 * rules are ended, and taken back, on such a host too. `wanted` is undefined where every file must be taken.
 */
async function load(host: AuditHost, wanted: boolean | undefined): Promise<void> {
  const { code, stdout, stderr } = await host.run(['augenrules', '--load'], limits)
  if (code === 0 || (wanted !== undefined && (await isLoaded(host)) === wanted)) return
  if (code === 127) throw Unavailable('auditd is not installed')
  throw RulesRefused(
    `augenrules --load: ${(stderr.trim() || stdout.trim() || `exit status ${code}`).slice(0, 2000)}`,
  )
}

/** True if the kernel has the rules. */
export async function isLoaded({ run }: Pick<Host, 'run'>): Promise<boolean> {
  const { code, stdout } = await run(['auditctl', '-l'], limits)
  return code === 0 && stdout.includes(ruleKey)
}
