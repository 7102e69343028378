import type { StepKind } from '../../../core/change.ts'
import type { NginxParts } from '../index.ts'
import { hostWord } from '../quote.ts'

export interface ArchiveLogsArgs {
  readonly domain: string
  /** Name in the archive, never used twice: the id of the deleted site. */
  readonly archive: string
}

export interface ArchiveLogsBefore {
  readonly hadLogs: boolean
}

/**
 * The step that moves the logs of a site where nobody but root can read them, so that a later site of the same name begins
 * with none. It comes after nginx has stopped serving the site: a worker that ends a last request goes on writing to the
 * moved file.
 */
export function archiveLogs({
  host: { files },
  layout,
}: NginxParts): StepKind<ArchiveLogsArgs, ArchiveLogsBefore, null> {
  const directoryOf = ({ domain }: ArchiveLogsArgs) => `${layout.logsDirectory}/${hostWord(domain)}`
  const archiveOf = ({ archive }: ArchiveLogsArgs) => `${layout.deletedLogsDirectory}/${archive}`
  const isThere = async (path: string) => (await files.facts(path)) !== undefined
  return {
    name: 'nginx.archive-logs',
    plan: (args) => ({
      title: `Move what logs there are of ${args.domain} to ${archiveOf(args)}, which only root can read`,
    }),
    observe: async (args) => ({ hadLogs: await isThere(directoryOf(args)) }),
    act: async (args, { before }) => {
      if (!before.hadLogs || (await isThere(archiveOf(args)))) return null
      await files.makeDirectory(layout.deletedLogsDirectory, { mode: 0o700 })
      await files.move(directoryOf(args), archiveOf(args))
      return null
    },
    undo: async (args) => {
      if (await isThere(archiveOf(args))) await files.move(archiveOf(args), directoryOf(args))
    },
    check: async (args, { hadLogs }) => {
      if (!hadLogs || (await isThere(archiveOf(args)))) return 'wanted'
      return (await isThere(directoryOf(args))) ? 'before' : 'other'
    },
  }
}
