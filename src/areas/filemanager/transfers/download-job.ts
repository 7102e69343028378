import Type from 'typebox'
import { job } from '../context.ts'
import { hourMs } from '../endpoints/target.ts'
import { downloadKind } from '../job-kinds.ts'
import { runDownload } from './downloads.ts'

/** Downloads a URL into a folder of a home. */
export const downloadJob = job({
  kind: downloadKind,
  lane: 'network',
  input: Type.Object({
    username: Type.String(),
    path: Type.String(),
    url: Type.String(),
    user_id: Type.Integer(),
  }),
  timeoutMs: 6 * hourMs,
  attempts: 3,
  resumes: true,
  run: (run) => runDownload(run.filemanager, run),
})
