import Type from 'typebox'
import { job } from './context.ts'
import { boundSlowLog } from './slow-log.ts'

/** Keeps the slow log from filling the disk. */
export const boundingSlowLog = job({
  kind: 'sqldb.bound-slow-log',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  schedule: '4-59/10 * * * *',
  run: async ({ sqldb }) => ({ began_anew: await boundSlowLog(sqldb) }),
})
