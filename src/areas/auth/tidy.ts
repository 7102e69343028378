import Type from 'typebox'
import { job } from './context.ts'

const atOnce = 500

/** Removes sessions whose time is over, once a night. */
export const endExpiredSessions = job({
  kind: 'auth.end-expired-sessions',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  schedule: '17 3 * * *',
  run: async ({ auth }) => {
    const now = auth.trustedNow() // a clock that is ahead for a moment would sign everybody out
    let ended = 0
    if (now === undefined) return { ended }
    for (let last = atOnce; last === atOnce; ended += last) last = await auth.queries.endExpired(now, atOnce)
    return { ended }
  },
})
