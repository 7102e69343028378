import Type, { type Static } from 'typebox'
import { Id, OneOf, Prose, Text, Time } from '../../core/schemas.ts'

export const JobState = OneOf(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'], {
  description: 'State of the job',
})

export const Job = Type.Object({
  id: Id,
  kind: Text(100, { description: 'What it does, as <area>.<verb>' }),
  title: Text(500),
  owner_id: Type.Union([Id, Type.Null()], {
    description: 'The user whose job it is; null for the panel itself',
  }),
  state: JobState,
  percent: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'How far it is; null when unknown',
  }),
  message: Prose(4000, { description: 'What it is doing, or how it ended' }),
  attempt: Type.Integer({ minimum: 0 }),
  created_at: Time,
  started_at: Type.Union([Time, Type.Null()]),
  finished_at: Type.Union([Time, Type.Null()]),
  result: Type.Unknown({ description: 'What it brought, once it has succeeded' }),
  error: Type.Union([Prose(8000), Type.Null()]),
})
export type Job = Static<typeof Job>

const JobStep = Type.Object({
  title: Text(500, { description: 'What the step does' }),
  state: OneOf(['waiting', 'running', 'done', 'undone', 'failed'], {
    description: 'Where it is; a step that never began stays at waiting',
  }),
})

export const JobWithSteps = Type.Object({
  ...Job.properties,
  steps: Type.Array(JobStep, {
    maxItems: 1000,
    description: 'The steps of its change; empty before its turn and for housekeeping',
  }),
})
export type JobWithSteps = Static<typeof JobWithSteps>

export const JobEvent = Type.Object({
  type: OneOf(['state', 'progress', 'output', 'end', 'error']),
  percent: Type.Union([Type.Integer(), Type.Null()]),
  message: Prose(2000),
  created_at: Type.Optional(Time),
  state: Type.Optional(JobState),
})
