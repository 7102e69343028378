import Type from 'typebox'
import { job } from './context.ts'

/** Removes jobs that ended three months ago, once a night. */
export const pruneOldJobs = job({
  kind: 'jobs.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '29 3 * * *',
  run: async ({ jobs }) => ({ removed: await jobs.queries.removeOld(jobs.trustedNow()) }),
})
