import Type from 'typebox'
import { job } from '../context.ts'
import { removeExpired } from './expiry.ts'

/** Removes abandoned uploads, once an hour. */
export const removeExpiredUploads = job({
  kind: 'filemanager.remove-expired-uploads',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 1,
  resumes: true,
  schedule: '43 * * * *',
  run: ({ filemanager }) => removeExpired(filemanager, filemanager.store.trustedNow()),
})
