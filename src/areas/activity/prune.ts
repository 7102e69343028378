import Type from 'typebox'
import { pruneActivity } from '../../changes/activity.ts'
import { forgetOldWork } from '../../changes/retention.ts'
import { job } from './context.ts'

/** Removes entries older than a year, behind a signed checkpoint, once a night. */
export const pruneOldActivity = job({
  kind: 'activity.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '41 3 * * *',
  run: async ({ activity }) => ({
    removed: await pruneActivity(activity.store, activity.store.trustedNow()),
  }),
})

/** Removes the undo records of changes that are too old to be undone, once a night. */
export const forgetOldChanges = job({
  kind: 'activity.forget-old-changes',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '53 3 * * *',
  run: async ({ activity }) => ({
    forgotten: await forgetOldWork(activity.store, activity.store.trustedNow()),
  }),
})
