import Type from 'typebox'
import { job } from './context.ts'

/** Removes logs of deleted websites that exceed the maximum age or number, once a night. */
export const pruneDeletedLogs = job({
  kind: 'websites.prune-deleted-logs',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '29 3 * * *',
  run: ({ websites }) => websites.nginx.pruneDeletedLogs(websites.trustedNow()),
})
