import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { type ListQuery, type Page, type StreamEvent, success } from '../../core/reply.ts'
import type { JobRow } from '../../jobs/tables.ts'
import { isOver } from './cancel.ts'
import type { JobsArea } from './context.ts'
import type { Job, JobWithSteps } from './model.ts'
import { JobOver } from './problems.ts'

/** Lists the caller's jobs, or all jobs for a superuser. */
export async function listJobs(
  { queries }: JobsArea,
  query: ListQuery & { readonly state?: JobRow['state'] },
  { user }: Caller,
): Promise<Page<Job>> {
  const scope = { ...(query.state && { state: query.state }), ...(!user.isAdmin && { ownerId: user.id }) }
  const page = await queries.page(query, scope)
  return { items: page.items.map(showJob), total: page.total }
}

/** Returns the job with this id if the caller may see it, otherwise fails with 404. */
export async function loadJob({ queries }: JobsArea, id: number, { user }: Caller): Promise<JobRow> {
  const row = await queries.byId(id)
  if (row === undefined || (!user.isAdmin && row.owner_id !== user.id))
    throw NotFound(`id: there is no job ${id}`)
  return row
}

interface JobEventValue {
  type: 'state' | 'progress' | 'output' | 'end'
  percent: number | null
  message: string
  created_at?: string
  state?: JobRow['state']
}

/** Yields the events of a job from the given one on, then new ones as they occur, and finally its outcome. */
export async function* followJob(
  { queries, feed }: JobsArea,
  id: number,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<JobEventValue>> {
  for await (const { seq, ...event } of feed.follow(id, afterSeq, signal)) {
    const { type, percent, message, created_at } = event
    yield { id: seq, value: { type, percent, message, created_at } }
  }
  const row = await queries.byId(id)
  if (row && isOver(row))
    yield { value: { type: 'end', percent: row.percent, message: row.message, state: row.state } }
}

/** Cancels a job that waits or runs. */
export function cancelJob(on: JobsArea, job: JobRow): Change<{ success: true }> {
  if (isOver(job)) throw JobOver(`id: job ${job.id} is over (${job.state})`)
  return change({
    summary: `Cancel job ${job.id}: ${job.title}`,
    steps: [step(on.cancelStep, { id: job.id })],
    reply: success,
  })
}

/** Returns the reply of a job with the steps of its change. */
export async function showJobWithSteps(on: JobsArea, row: JobRow): Promise<JobWithSteps> {
  const steps = row.change_id === null ? [] : await on.stepsOf(row)
  return { ...showJob(row), steps: steps.map((step) => ({ ...step, title: step.title.slice(0, 500) })) }
}

/** Returns the reply of a job. */
export function showJob(row: JobRow) {
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
