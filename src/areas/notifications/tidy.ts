import Type from 'typebox'
import { job } from './context.ts'

/** Removes old notifications and deliveries, once a night. */
export const pruneOldNotifications = job({
  kind: 'notifications.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '17 3 * * *',
  run: async ({ notifications }) => ({
    removed: await notifications.queries.removeOld(notifications.store.trustedNow()),
  }),
})
