import Type from 'typebox'
import { backUpIfDue } from './auto-backup.ts'
import { job } from './context.ts'

/** Checks every hour if a backup is due. */
export const autoBackupJob = job({
  kind: 'lbproxy.auto-backup',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  schedule: '7 * * * *',
  run: async ({ lbproxy }) => ({ backup: await backUpIfDue(lbproxy, new Date()) }),
})
