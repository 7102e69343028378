import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { HaproxyParts } from '../parts.ts'

export interface WriteFileArgs {
  readonly directory: 'certificates' | 'backups'
  readonly name: string
  /** Null removes the file. */
  readonly content: string | null
}

/**
 * The step that writes or removes a file of HAProxy other than its configuration. Only root may read these
 * files.
 */
export function writeFileStep({
  host: { files },
  layout,
}: HaproxyParts): StepKind<WriteFileArgs, Was<string>, null> {
  const directoryOf = ({ directory }: WriteFileArgs) =>
    directory === 'certificates' ? layout.certificatesDirectory : layout.backupsDirectory
  const pathOf = (args: WriteFileArgs) => `${directoryOf(args)}/${args.name}`
  return stateStep({
    name: 'haproxy.write-file',
    plan: (args) => ({
      title:
        args.content === null ? `Remove ${pathOf(args)}` : `Write ${pathOf(args)}, readable only by root`,
    }),
    read: (args) => files.read(pathOf(args)),
    wanted: ({ content }) => content ?? undefined,
    write: async (args, content) => {
      if (content === undefined) return files.remove(pathOf(args))
      await files.makeDirectory(directoryOf(args), { mode: 0o700 })
      await files.write(pathOf(args), content, { rights: { mode: 0o600 } })
    },
  })
}
