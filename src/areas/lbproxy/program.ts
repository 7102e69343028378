import { readSchedule } from './auto-backup.ts'
import type { Lbproxy } from './context.ts'

/** Returns whether HAProxy is installed and runs, and how often it is backed up. */
export async function readStatus(on: Lbproxy) {
  const { haproxy } = on
  await on.reconcileServerStates()
  const found = await haproxy.detect()
  const [processes, startedAt] = await Promise.all([haproxy.program.processes(), haproxy.program.startedAt()])
  const running = await haproxy.program.running()
  return {
    installed: found.present,
    running: running.length > 0,
    version: found.version,
    started_at: startedAt === undefined ? null : new Date(startedAt).toISOString(),
    processes: [...running],
    failed_reloads: processes?.failed ?? 0,
    reason: found.reason,
    auto_backup: await readSchedule(on),
  }
}
