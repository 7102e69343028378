import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { data, events, list, succeeded } from '../../core/reply.ts'
import { Id, Optional } from '../../core/schemas.ts'
import { endpoint } from './context.ts'
import * as verbs from './jobs.ts'
import { Job, JobEvent, JobState, JobWithSteps } from './model.ts'
import { JobOver } from './problems.ts'

const JobPath = Type.Object({ id: Id })

export const listJobs = endpoint({
  method: 'GET',
  path: '',
  summary: 'List background jobs: your own, or all for a superuser',
  effect: 'reads',
  query: Type.Object({ state: Optional(JobState) }),
  reply: list(Job, { sort: ['-id', 'created_at', 'state', 'title'], search: ['title', 'kind'] }),
  run: ({ query, jobs, caller }) => verbs.listJobs(jobs, query, caller),
})

export const getJob = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a job, with the steps of its change',
  effect: 'reads',
  params: JobPath,
  reply: data(JobWithSteps),
  target: ({ params, caller, jobs }) => verbs.loadJob(jobs, params.id, caller),
  run: ({ target, jobs }) => verbs.showJobWithSteps(jobs, target),
})

export const followJob = endpoint({
  method: 'GET',
  path: '/{id}/events',
  summary: 'Follow a job: its events so far, those to come, and how it ended',
  description: 'Leaving the stream does not cancel the job. Last-Event-ID goes on after an event.',
  effect: 'reads',
  params: JobPath,
  reply: events(JobEvent),
  target: ({ params, caller, jobs }) => verbs.loadJob(jobs, params.id, caller),
  run: ({ target, jobs, lastEventId, signal }) => verbs.followJob(jobs, target.id, lastEventId ?? 0, signal),
})

export const stopJob = endpoint({
  method: 'POST',
  path: '/{id}/cancel',
  summary: 'Cancel a job that waits or runs',
  effect: 'changes',
  category: local('the job runs on this host'),
  params: JobPath,
  reply: succeeded,
  throws: { bad_request: JobOver },
  target: ({ params, caller, jobs }) => verbs.loadJob(jobs, params.id, caller),
  run: ({ target, jobs }) => verbs.cancelJob(jobs, target),
})
