import type { JobRun } from '../../core/job.ts'
import { rewriteAll } from '../system/index.ts'
import type { Programs } from './context.ts'

/**
 * Makes a newly installed nginx serve the websites of the store: a purge removes their files. One change,
 * with its activity entry.
 */
export async function serveAgain(
  { executor, system }: Programs,
  by: number | null,
  { jobId, signal, output }: JobRun<unknown>,
): Promise<void> {
  const decide = () => rewriteAll(system, false)
  if ((await decide()).steps.length === 0) return
  const request = {
    method: 'POST',
    path: '/api/system/rewrite-all',
    request: '{}',
    request_id: `job-${jobId}`,
  }
  const entry = { action: 'system_rewrite_all', user_id: by, key_id: null, ip: 'local', ...request }
  const { reply } = await executor.execute({
    decide,
    actor: { entry },
    keepsReply: false,
    signal,
    actSignal: signal,
  })
  await output(`Serving ${reply.written.length} websites again`)
  for (const { domain, reason } of reply.left) await output(`Skipped ${domain}: ${reason}`)
}
