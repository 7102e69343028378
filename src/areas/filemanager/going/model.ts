import Type from 'typebox'
import { Id, OneOf, Prose } from '../../../core/schemas.ts'

export const GoingJob = Type.Object({
  job_id: Id,
  verb: OneOf(['pack', 'unpack', 'copy', 'move'], { description: 'What it does' }),
  name: Prose(4096, { description: 'What it makes, unpacks or places' }),
  count: Type.Integer({ minimum: 1, description: 'How many entries it was asked to work on' }),
})

export const GoingJobs = Type.Object({ items: Type.Array(GoingJob, { maxItems: 100 }) })
