import Type from 'typebox'
import { job } from './context.ts'

/** Removes sessions whose time is over, once a night. */
export const endExpiredSessions = job({
  kind: 'auth.end-expired-sessions',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  schedule: '17 3 * * *',
  run: async ({ auth }) => {
    const gone = await auth.endExpired(new Date())
    return { ended: Number(gone.numDeletedRows) }
  },
})
