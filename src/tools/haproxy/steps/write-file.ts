import type { StepKind } from '../../../core/change.ts'
import type { HaproxyParts } from '../index.ts'

export interface WriteFileArgs {
  readonly directory: 'certificates' | 'backups'
  readonly name: string
  /** Null removes it. */
  readonly content: string | null
}

export interface WriteFileBefore {
  readonly content: string | null
}

/** The step that writes or removes a file that belongs to HAProxy but is not its configuration. Only root may read any of them. */
export function writeFileStep({
  host: { files },
  layout,
}: HaproxyParts): StepKind<WriteFileArgs, WriteFileBefore, null> {
  const directoryOf = ({ directory }: WriteFileArgs) =>
    directory === 'certificates' ? layout.certificatesDirectory : layout.backupsDirectory
  const pathOf = (args: WriteFileArgs) => `${directoryOf(args)}/${args.name}`
  const put = async (args: WriteFileArgs, content: string | null) => {
    if (content === null) return files.remove(pathOf(args))
    await files.makeDirectory(directoryOf(args), { mode: 0o700 })
    await files.write(pathOf(args), content, { rights: { mode: 0o600 } })
  }
  return {
    name: 'haproxy.write-file',
    plan: (args) => ({
      title:
        args.content === null ? `Remove ${pathOf(args)}` : `Write ${pathOf(args)}, readable by root alone`,
    }),
    observe: async (args) => ({ content: (await files.read(pathOf(args))) ?? null }),
    act: async (args) => {
      await put(args, args.content)
      return null
    },
    undo: (args, before) => put(args, before.content),
    check: async (args, before) => {
      const now = (await files.read(pathOf(args))) ?? null
      if (now === args.content) return 'wanted'
      return now === before.content ? 'before' : 'other'
    },
  }
}
