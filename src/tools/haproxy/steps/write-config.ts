import type { StepKind } from '../../../core/change.ts'
import { unifiedDiff } from '../../../host/apply/diff.ts'
import { refusalOf } from '../../../host/apply/edited-check.ts'
import { readLive } from '../../../host/apply/edited-file.ts'
import type { EditApplied } from '../../../host/apply/edited-tool.ts'
import type { HaproxyParts } from '../index.ts'
import { servesWhatLies } from '../serves.ts'

export interface WriteConfigArgs {
  readonly content: string
}

export interface WriteConfigBefore {
  readonly content: string
}

/** The step that replaces the whole configuration, to the byte. */
export function writeConfigStep(parts: HaproxyParts): StepKind<WriteConfigArgs, WriteConfigBefore, EditApplied> {
  const { host, layout, tool } = parts
  const live = async () => (await readLive(host.files, layout.configPath)).text
  return {
    name: 'haproxy.write-config',
    plan: async ({ content }) => ({
      title: 'Replace the configuration of HAProxy',
      files: [{ path: layout.configPath, diff: unifiedDiff(layout.configPath, await live(), content) }],
      commands: [['haproxy', '-c', '-f', layout.configPath]],
      reloads: ['haproxy'],
      ...(await refusalOf(host.files, tool, content)),
    }),
    observe: async () => ({ content: await live() }),
    act: ({ content }) => host.applyEdit(tool, () => content),
    undo: async (_args, before) => {
      await host.applyEdit(tool, () => before.content)
    },
    check: async ({ content }, before) => {
      const now = await live()
      if (!(await servesWhatLies(parts))) return 'other'
      if (now === content) return 'wanted'
      return now === before.content ? 'before' : 'other'
    },
  }
}
