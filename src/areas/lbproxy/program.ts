import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { JobRun } from '../../core/job.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import { readSchedule } from './auto-backup.ts'
import type { Lbproxy } from './context.ts'
import { configLock } from './locks.ts'
import { programLock } from '../../tools/program.ts'

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

/** Starts, stops or reloads HAProxy. */
export async function act(
  { haproxy }: Lbproxy,
  verb: 'start' | 'stop' | 'reload',
): Promise<Change<{ success: true }>> {
  await assertAvailable(haproxy)
  return change({
    summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} the load balancer`,
    locks: [configLock],
    steps: [step(haproxy.steps.switchProgram, { verb })],
    reply: success,
  })
}

/** Starts the job that installs HAProxy. */
export const install = (callerId: number): Change<{ job_id: number }> =>
  job('programs.install', { name: 'haproxy' }, { title: 'Install HAProxy', callerId })

/** Starts the job that removes HAProxy. */
export async function uninstall({ haproxy }: Lbproxy, callerId: number): Promise<Change<{ job_id: number }>> {
  await assertAvailable(haproxy)
  return job('lbproxy.uninstall', {}, { title: 'Remove HAProxy', callerId })
}

/** Removes the package; keeps the configuration, certificates and backups. */
export async function removePackage(
  { packages, forgetSurvey }: Lbproxy,
  { signal, progress }: JobRun<unknown>,
): Promise<void> {
  await packages.remove(['haproxy'], { signal, onProgress: (line) => void progress(null, line) })
  forgetSurvey()
}

async function assertAvailable(haproxy: Haproxy): Promise<void> {
  const found = await haproxy.detect()
  if (!found.present) throw Unavailable(found.reason ?? undefined)
}

function job(
  kind: string,
  input: object,
  { title, callerId }: { readonly title: string; readonly callerId: number },
): Change<{ job_id: number }> {
  return change({
    summary: title,
    locks: [programLock('haproxy')],
    jobs: [{ kind, input, ownerId: callerId, title }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}
