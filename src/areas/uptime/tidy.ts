import Type from 'typebox'
import { job } from './context.ts'

/** Removes old history and response times, once a night. */
export const pruneOldChecks = job({
  kind: 'uptime.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '37 3 * * *',
  run: async ({ uptime }) => ({ removed: await uptime.queries.removeOld(uptime.store.trustedNow()) }),
})
