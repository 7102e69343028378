import { setImmediate } from 'node:timers/promises'
import { Busy, Problem, ServerError, Unavailable, retryAfter } from '../../core/problem.ts'
import { holdsSecret } from '../../core/secret.ts'
import {
  cancelled,
  type End,
  internalError,
  isRefusal,
  outOfTime,
  retryAt,
  settle,
  stopping,
} from '../../jobs/perform.ts'
import type { CarriedRun } from '../../jobs/queue.ts'
import type { JobRow } from '../../jobs/tables.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../actor.ts'
import { openCarrier } from '../carrier.ts'
import type { Order } from '../executor.ts'
import { cancelledBefore, cancelQueued, endRunning } from './cancel.ts'
import { cancelledEnd, type Ended } from './ends.ts'
import { type BoundWork, callerAtTurn, leftWorkOf, type Working } from './working.ts'

/** Carries out the change of a job at its turn. */
export async function carryTurn(working: Working, bound: BoundWork, run: CarriedRun): Promise<void> {
  const { executor, ends, log } = working
  const { row: job, signal } = run
  await setImmediate() // the caller who ordered it is waiting by then
  try {
    const { reply, activityId, isUndoable } = await executor.execute(await orderAt(working, bound, run))
    ends.tell(job.id, isUndoable ? { reply, undoId: activityId } : { reply })
  } catch (error) {
    if (!isRefusal(error) && !signal.aborted) log.error({ err: error, jobId: job.id }, 'a job failed')
    const { state, outcome } = await run.untilStored(() =>
      changeAfter(working, { job, attempts: bound.kind.attempts, error, signal }),
    )
    // it is tried again, and the waiting callers keep waiting
    if (state === 'queued' && signal.reason === cancelled)
      return void (await run.untilStored(() => cancelQueued(working, job.id)))
    if (state === 'queued' && signal.reason !== stopping) return
    ends.tell(job.id, endOf(error, signal.reason, outcome === 'restored' ? 'restored' : 'failed'))
  }
}

/** The order of the change at its turn; throws where what is stored of it cannot be read. */
async function orderAt(working: Working, bound: BoundWork, run: CarriedRun): Promise<Order<unknown>> {
  const { store, retryMs } = working
  const { row: job, signal } = run
  const { kind } = bound
  const row = await run.untilStored(() => changeOf(store, job.change_id))
  const input: unknown = JSON.parse(store.unseal(job.input))
  const left = leftWorkOf(working, row)
  return {
    decide: async () => {
      const caller = await callerAtTurn(working, bound, row)
      return working.decide(bound, { input, caller, jobId: job.id, signal })
    },
    actor: actorOf(row),
    keepsReply: !holdsSecret(kind.reply),
    signal,
    actSignal: signal,
    carrier: openCarrier({ row: job, changeId: row.id, kind, input, retryMs, left, run }),
  }
}

interface Failed {
  readonly job: JobRow
  readonly attempts: number
  readonly error: unknown
  readonly signal: AbortSignal
}

/** The change after a turn that failed. Where the turn could not begin, or its end not be stored, the job is still running. */
async function changeAfter(working: Working, failed: Failed) {
  const { store, retryMs } = working
  const { job } = failed
  const change = await changeOf(store, job.change_id)
  const { state, attempt } = await store.db
    .selectFrom('jobs')
    .select(['state', 'attempt'])
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const isOpen = change.state === 'queued' && state === 'running' && attempt === job.attempt
  if (!isOpen) return change
  const again = againAfter(failed, retryMs)
  if (again !== undefined) {
    await settle(store, job.id, again)
    return change
  }
  const isCancelled = failed.signal.reason === cancelled
  const message = internalError(job.id)
  await endRunning(working, job.id, isCancelled ? cancelledBefore : { state: 'failed', message })
  return changeOf(store, job.change_id)
}

/**
 * The next turn; undefined if there is none. A turn counts as an attempt, unless the store could not be reached or written, or the
 * panel stops. A cancelled job has none, also while its end waits for the store.
 */
function againAfter({ job, error, signal, attempts }: Failed, retryMs: number): End | undefined {
  if (signal.reason === cancelled) return undefined
  const runAfter = retryAt(job.attempt, retryMs)
  if (isDiskProblem(error))
    return {
      state: 'queued',
      message: 'Waits for its turn again, as the store of the panel could not be reached or written',
      attempt: job.attempt - 1,
      runAfter,
    }
  if (signal.reason === stopping)
    return { state: 'queued', message: 'Waits for its turn again', attempt: job.attempt - 1 }
  if (job.attempt >= attempts) return undefined
  return { state: 'queued', message: `Will be tried again: ${internalError(job.id)}`, runAfter }
}

const changeOf = (store: Store, id: number | null) =>
  store.db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

function endOf(error: unknown, reason: unknown, outcome: 'failed' | 'restored'): Ended {
  if (reason === cancelled) return cancelledEnd
  if (reason === stopping) return { outcome, error: Busy('The panel is stopping', retryAfter(5)) }
  if (reason === outOfTime) return { outcome, error: Unavailable('The time limit of the work was reached') }
  if (error instanceof Problem) return { outcome, error }
  return { outcome, error: ServerError(undefined, { cause: error }) }
}
