import Type from 'typebox'
import { condenseDays, condenseFives } from './samples/condense.ts'
import { job } from './context.ts'

/** Condenses response times into rows of five minutes. */
export const condense = job({
  kind: 'uptime.condense',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '1-59/5 * * * *',
  run: async ({ uptime }) => ({ written: await condenseFives(uptime, new Date()) }),
})

/** Condenses the days that have ended, and removes old history and response times, once a night. */
export const pruneOldChecks = job({
  kind: 'uptime.prune',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '37 3 * * *',
  run: async ({ uptime }) => {
    const now = uptime.store.trustedNow() // undefined while the clock may be wrong
    if (now !== undefined) await condenseDays(uptime, now)
    return { removed: await uptime.queries.removeOld(now) }
  },
})
