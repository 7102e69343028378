import type { StepKind } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import { digestOf } from '../../../host/files.ts'
import { unifiedDiff } from '../../../host/apply/diff.ts'
import { refusalOf } from '../../../host/apply/edited-check.ts'
import { readLive } from '../../../host/apply/edited-file.ts'
import type { EditApplied } from '../../../host/apply/edited-tool.ts'
import { maskConfig } from '../config/mask.ts'
import type { HaproxyParts } from '../index.ts'
import { servesWhatLies } from '../serves.ts'

export interface WriteConfigArgs {
  readonly content: string
  /** Digest of the text that it was made from: what somebody else changed since is not lost. */
  readonly over: string
}

export interface WriteConfigBefore {
  readonly content: string
}

/** The step that replaces the whole configuration, to the byte. */
export function writeConfigStep(
  parts: HaproxyParts,
): StepKind<WriteConfigArgs, WriteConfigBefore, EditApplied> {
  const { host, layout, tool } = parts
  const live = async () => (await readLive(host.files, layout.configPath)).text
  return {
    name: 'haproxy.write-config',
    plan: async ({ content }) => ({
      title: 'Replace the configuration of HAProxy',
      files: [
        {
          path: layout.configPath,
          diff: unifiedDiff(layout.configPath, maskConfig(await live()), maskConfig(content)),
        },
      ],
      commands: [['haproxy', '-c', '-f', layout.configPath]],
      reloads: ['haproxy'],
      ...(await refusalOf(host.files, tool, content)),
    }),
    observe: async () => ({ content: await live() }),
    act: ({ content, over }) =>
      host.applyEdit(tool, (current) => {
        if (digestOf(current) !== over)
          throw Conflict('The configuration was changed meanwhile: read it again')
        return content
      }),
    /** A write that was refused because somebody else was faster must not take back what that one wrote. */
    undo: async ({ content }, before) => {
      await host.applyEdit(tool, (current) => (current === content ? before.content : current))
    },
    check: async ({ content }, before) => {
      const now = await live()
      if (!(await servesWhatLies(parts))) return 'other'
      if (now === content) return 'wanted'
      return now === before.content ? 'before' : 'other'
    },
  }
}
