import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { change, step } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { data, events, list, succeeded, success } from '../../core/reply.ts'
import { Id, Optional } from '../../core/schemas.ts'
import type { JobRow } from '../../jobs/tables.ts'
import { endpoint } from './context.ts'
import { Job, JobEvent, JobState } from './model.ts'

const JobOver = problem('bad_request', 400, 'The job is over')
const JobPath = Type.Object({ id: Id })

export const listJobs = endpoint({
  method: 'GET',
  path: '',
  summary: 'List background jobs: your own, or all for a superuser',
  effect: 'reads',
  query: Type.Object({ state: Optional(JobState) }),
  reply: list(Job, { sort: ['-id', 'created_at', 'state', 'title'], search: ['title', 'kind'] }),
  run: async ({ query, jobs, caller }) => {
    const page = await jobs.page(query, {
      ...(query.state && { state: query.state }),
      ...(!caller.user.isAdmin && { ownerId: caller.user.id }),
    })
    return { items: page.items.map(showJob), total: page.total }
  },
})

export const getJob = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a job',
  effect: 'reads',
  params: JobPath,
  reply: data(Job),
  target: ({ params, caller, jobs }) => jobs.load(params.id, caller),
  run: ({ target }) => showJob(target),
})

export const followJob = endpoint({
  method: 'GET',
  path: '/{id}/events',
  summary: 'Follow a job: its events so far, those to come, and how it ended',
  description: 'Leaving the stream does not cancel the job. Last-Event-ID goes on after an event.',
  effect: 'reads',
  params: JobPath,
  reply: events(JobEvent),
  target: ({ params, caller, jobs }) => jobs.load(params.id, caller),
  run: ({ target, jobs, lastEventId, signal }) => jobs.events(target.id, lastEventId ?? 0, signal),
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
  target: ({ params, caller, jobs }) => jobs.load(params.id, caller),
  run: ({ target, jobs }) => {
    if (jobs.isOver(target)) throw JobOver(`id: job ${target.id} is over (${target.state})`)
    return change({
      summary: `Cancel job ${target.id}: ${target.title}`,
      steps: [step(jobs.cancelStep, { id: target.id })],
      reply: success,
    })
  },
})

function showJob(row: JobRow) {
  const {
    id,
    kind,
    title,
    owner_id,
    state,
    percent,
    message,
    attempt,
    created_at,
    started_at,
    finished_at,
    error,
  } = row
  return {
    id,
    kind,
    title,
    owner_id,
    state,
    percent,
    message,
    attempt,
    created_at,
    started_at,
    finished_at,
    error,
    result: row.result === null ? null : JSON.parse(row.result),
  }
}
