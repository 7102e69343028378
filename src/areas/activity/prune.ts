import Type from 'typebox'
import { job } from './context.ts'

const keptDays = 365

/** Removes entries older than a year, behind a signed checkpoint, once a night. */
export const pruneOldActivity = job({
  kind: 'activity.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '41 3 * * *',
  run: async ({ activity }) => ({
    removed: await activity.prune(new Date(Date.now() - keptDays * 86_400_000)),
  }),
})
