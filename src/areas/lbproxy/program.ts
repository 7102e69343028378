import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { JobRun } from '../../core/job.ts'
import type { Deps } from '../deps.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import type { ReconcileServerStates } from './reconcile-states.ts'

/** Reads the state of the program itself, and starts, stops, installs and removes it. */
export function programVerbs(
  { host, forgetSurvey }: Deps,
  {
    haproxy,
    reconcileServerStates,
  }: { readonly haproxy: Haproxy; readonly reconcileServerStates: ReconcileServerStates },
) {
  return {
    status: async () => {
      await reconcileServerStates()
      const found = await haproxy.detect()
      const [processes, startedAt] = await Promise.all([
        haproxy.program.processes(),
        haproxy.program.startedAt(),
      ])
      const running = await haproxy.program.running()
      return {
        installed: found.present,
        running: running.length > 0,
        version: found.version,
        started_at: startedAt === undefined ? null : new Date(startedAt).toISOString(),
        processes: [...running],
        failed_reloads: processes?.failed ?? 0,
        reason: found.reason,
      }
    },
    act: async (verb: 'start' | 'stop' | 'reload'): Promise<Change<{ success: true }>> => {
      await assertAvailable(haproxy)
      return change({
        summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} the load balancer`,
        locks: ['lbproxy'],
        steps: [step(haproxy.steps.switchProgram, { verb })],
        reply: success,
      })
    },
    install: (callerId: number): Change<{ job_id: number }> =>
      job('programs.install', { name: 'haproxy' }, { title: 'Install HAProxy', callerId }),
    uninstall: async (callerId: number): Promise<Change<{ job_id: number }>> => {
      await assertAvailable(haproxy)
      return job('lbproxy.uninstall', {}, { title: 'Remove HAProxy', callerId })
    },
    /** Removes the package; keeps the configuration, certificates and backups. */
    removePackage: async ({ signal, progress }: JobRun<unknown>): Promise<void> => {
      await host.packages.remove(['haproxy'], { signal, onProgress: (line) => void progress(null, line) })
      forgetSurvey()
    },
  }
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
    locks: ['program:haproxy'],
    jobs: [{ kind, input, ownerId: callerId, title }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}
