import Type from 'typebox'
import { Id, OneOf, Prose } from '../../../core/schemas.ts'

export const ActiveJob = Type.Object({
  job_id: Id,
  verb: OneOf(['pack', 'unpack', 'copy', 'move', 'fetch', 'clone', 'pull', 'push'], {
    description: 'What it does; fetch downloads a URL',
  }),
  name: Prose(4096, {
    description: 'What it makes, unpacks, places or brings; for pull and push the folder of the repository',
  }),
  count: Type.Integer({ minimum: 1, description: 'How many entries it was asked to work on' }),
})

export const ActiveJobs = Type.Object({ items: Type.Array(ActiveJob, { maxItems: 100 }) })
