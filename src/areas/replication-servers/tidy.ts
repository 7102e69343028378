import Type from 'typebox'
import { job } from './context.ts'

/** Removes old requests from the log, once a night. */
export const pruneOldActions = job({
  kind: 'replication-servers.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '47 3 * * *',
  run: async ({ replication }) => ({
    removed: await replication.queries.removeOld(replication.store.trustedNow()),
  }),
})
