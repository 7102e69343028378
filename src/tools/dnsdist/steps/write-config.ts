import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { applyConfig, isServed } from '../apply.ts'
import { rightsOf } from '../rights.ts'
import type { DnsdistParts } from '../parts.ts'

/** The step that replaces the configuration as text. */
export function writeConfig(parts: DnsdistParts): StepKind<{ content: string }, Was<string>, null> {
  const { host, layout } = parts
  return stateStep<{ content: string }, string>({
    name: 'dnsdist.write-config',
    plan: () => ({
      title: `Replace ${layout.configPath}`,
      details: ['dnsdist restarts; queries that arrive meanwhile are not answered.'],
      commands: [['dnsdist', '--check-config', '-C', layout.configPath]],
      reloads: ['dnsdist'],
    }),
    read: () => host.files.read(layout.configPath),
    wanted: ({ content }) => content,
    isInEffect: () => isServed(parts, layout.configPath),
    write: (_args, content) => applyConfig(parts, content ?? ''),
  })
}

export interface BackupArgs {
  /** Follows the name of the configuration. */
  readonly suffix: string
  readonly content: string
}

/** The step that keeps a replaced configuration beside the current one. */
export function writeBackup(parts: DnsdistParts): StepKind<BackupArgs, Was<string>, null> {
  const { host, layout } = parts
  const pathOf = ({ suffix }: BackupArgs) => `${layout.configPath}.${suffix}`
  return stateStep<BackupArgs, string>({
    name: 'dnsdist.write-backup',
    plan: (args) => ({ title: `Keep the replaced configuration as ${pathOf(args)}` }),
    read: (args) => host.files.read(pathOf(args)),
    wanted: ({ content }) => content,
    write: async (args, content) => {
      if (content === undefined) return host.files.remove(pathOf(args))
      await host.files.write(pathOf(args), content, { rights: await rightsOf(parts) })
    },
  })
}
