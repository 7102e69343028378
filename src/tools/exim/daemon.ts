import { basename } from 'node:path'
import type { Files } from '../../host/files.ts'
import { processProgram } from '../../host/proc.ts'
import { pidPath } from './layout.ts'

/** The process that receives mail and sends the queue again. */
export interface Daemon {
  /** When it was started, in milliseconds since 1970; undefined if it does not run. */
  startedAt(): Promise<number | undefined>
}

/**
 * Opens the daemon of this host. Its service is an init script, of which systemd does not know the process; it
 * writes its pid file when it is started, and a reload keeps both.
 */
export function openDaemon(files: Pick<Files, 'read' | 'changedAt'>): Daemon {
  return {
    startedAt: async () => {
      const pid = Number((await files.read(pidPath))?.trim())
      if (!Number.isInteger(pid) || pid < 2) return undefined
      // a pid file may be stale, and its pid belong to another program by now
      const program = basename(await processProgram(pid))
      if (!/^exim4?(?: \(deleted\))?$/.test(program)) return undefined
      return (await files.changedAt(pidPath))?.getTime()
    },
  }
}
