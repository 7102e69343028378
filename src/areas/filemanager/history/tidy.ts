import Type from 'typebox'
import { job } from '../context.ts'
import { tidyHistory } from './versions.ts'

/** Deletes versions that are too old or whose owner no longer exists, once a day. */
export const tidyHistoryJob = job({
  kind: 'filemanager.tidy-history',
  input: Type.Object({}),
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: true,
  schedule: '17 3 * * *',
  run: ({ filemanager }) => tidyHistory(filemanager),
})
