import Type from 'typebox'
import { job } from '../context.ts'
import { hourMs } from '../endpoints/target.ts'
import { downloadKind } from '../job-kinds.ts'

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
  run: (run) => run.filemanager.downloads.run(run),
})
