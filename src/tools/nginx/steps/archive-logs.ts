import type { StepKind } from '../../../core/change.ts'
import type { NginxParts } from '../parts.ts'
import { logDirectory } from '../layout.ts'

export interface ArchiveLogsArgs {
  readonly domain: string
  /** Name in the archive, never reused: the id of the deleted site. */
  readonly archive: string
}

export interface ArchiveLogsBefore {
  readonly hadLogs: boolean
}

/**
 * The step that moves the logs of a site to a directory that only root can read, so that a later site of the
 * same name starts without logs. It runs after nginx has stopped serving the site: a worker that completes a
 * last request continues writing to the moved file.
 */
export function archiveLogs({
  host: { files },
  layout,
}: NginxParts): StepKind<ArchiveLogsArgs, ArchiveLogsBefore, null> {
  const directoryOf = ({ domain }: ArchiveLogsArgs) => logDirectory(layout, domain)
  const archiveOf = ({ archive }: ArchiveLogsArgs) => `${layout.deletedLogsDirectory}/${archive}`
  const exists = async (path: string) => (await files.facts(path)) !== undefined
  return {
    name: 'nginx.archive-logs',
    plan: (args) => ({
      title: `Move the logs of ${args.domain}, if any, to ${archiveOf(args)}, which only root can read`,
    }),
    observe: async (args) => ({ hadLogs: await exists(directoryOf(args)) }),
    act: async (args, { before }) => {
      if (!before.hadLogs || (await exists(archiveOf(args)))) return null
      await files.makeDirectory(layout.deletedLogsDirectory, { mode: 0o700 })
      await files.move(directoryOf(args), archiveOf(args))
      return null
    },
    undo: async (args) => {
      if (await exists(archiveOf(args))) await files.move(archiveOf(args), directoryOf(args))
    },
    check: async (args, { hadLogs }) => {
      if (!hadLogs || (await exists(archiveOf(args)))) return 'wanted'
      return (await exists(directoryOf(args))) ? 'before' : 'other'
    },
  }
}
