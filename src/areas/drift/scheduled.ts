import Type from 'typebox'
import { checkDrift } from './check.ts'
import { job } from './context.ts'

/** Compares what the panel manages with the host once an hour. */
export const checking = job({
  kind: 'drift.check',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 1,
  resumes: true,
  schedule: '7 * * * *',
  run: ({ drift }) => checkDrift(drift, new Date()),
})
