import type { StepKind } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import { type EditBefore, editedFile } from '../../../host/apply/steps.ts'
import { digestOf } from '../../../host/files.ts'
import { maskConfig } from '../config/mask.ts'
import type { HaproxyParts } from '../parts.ts'

export interface WriteConfigArgs {
  readonly content: string
  /** Digest of the text that it was derived from, so that concurrent changes are not lost. */
  readonly over: string
}

/** The step that replaces the whole configuration, byte for byte. */
export function writeConfigStep({
  host,
  tool,
}: HaproxyParts): StepKind<WriteConfigArgs, EditBefore<null>, null> {
  return editedFile<WriteConfigArgs, null>(host, tool, {
    edit: (text, { content, over }) => {
      if (digestOf(text) !== over) throw Conflict('The configuration has changed: read it again and retry')
      return content
    },
    part: (text) => text,
    keep: () => null,
    takeBack: (_text, _edit, { part }) => part ?? '',
    mask: maskConfig,
  })({
    name: 'haproxy.write-config',
    title: () => 'Replace the configuration of HAProxy',
    partName: () => 'The configuration',
  })
}
