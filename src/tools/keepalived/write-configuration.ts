import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { isOwn, renderConfiguration, type VirtualAddress } from './configuration.ts'
import { ConfigRejected, ForeignConfig } from './problems.ts'

interface ConfigurationArgs {
  /** Null removes the configuration. */
  readonly virtual: VirtualAddress | null
}

interface ConfigurationState {
  readonly content: string
}

/** The configuration of keepalived. */
export const configurationPath = '/etc/keepalived/keepalived.conf'
const candidatePath = '/etc/keepalived/.hostreeve-candidate.conf'

/** The step that writes or removes the configuration. keepalived checks it before. */
export function writeConfiguration({
  files,
  run,
}: Pick<Host, 'files' | 'run'>): StepKind<ConfigurationArgs, Was<ConfigurationState>, null> {
  const stateOf = (content: string | undefined) => (content === undefined ? undefined : { content })
  const read = async () => stateOf(await files.read(configurationPath))
  const wanted = ({ virtual }: ConfigurationArgs) =>
    stateOf(virtual === null ? undefined : renderConfiguration(virtual))
  const diff = (was?: ConfigurationState, now?: ConfigurationState) => ({
    files: [
      {
        path: configurationPath,
        diff: unifiedDiff(configurationPath, was && masked(was.content), now && masked(now.content)),
      },
    ],
  })
  const assertValid = async (content: string) => {
    await files.write(candidatePath, content, { rights: { mode: 0o600 } })
    try {
      const { code, stdout, stderr } = await run(
        ['keepalived', '--config-test', `--use-file=${files.real(candidatePath)}`],
        { timeoutMs: 60_000 },
      )
      const reason = masked(`${stderr}${stdout}`.trim().slice(0, 2000))
      if (code !== 0) throw ConfigRejected(reason || `keepalived --config-test ended with ${code}`)
    } finally {
      await files.remove(candidatePath)
    }
  }
  return stateStep<ConfigurationArgs, ConfigurationState>({
    name: 'keepalived.write-configuration',
    plan: ({ virtual }) => ({ title: `${virtual === null ? 'Remove' : 'Write'} ${configurationPath}` }),
    preview: async (args) => diff(await read(), wanted(args)),
    changed: (_args, was, now) => diff(was, now),
    read,
    wanted,
    refuse: (_args, now) => {
      if (now !== undefined && !isOwn(now.content)) throw ForeignConfig()
    },
    write: async (_args, state) => {
      if (state === undefined) return files.remove(configurationPath)
      await assertValid(state.content)
      await files.write(configurationPath, state.content, { rights: { mode: 0o600 } })
    },
  })
}

const masked = (content: string): string => content.replace(/^( +auth_pass ).*$/gm, '$1•••')
