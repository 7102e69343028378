import { setImmediate } from 'node:timers/promises'
import { Busy, Problem, ServerError, Unavailable, retryAfter } from '../../core/problem.ts'
import { holdsSecret } from '../../core/secret.ts'
import { cancelled, isRefusal, outOfTime, settle, stopping } from '../../jobs/perform.ts'
import type { CarriedRun } from '../../jobs/queue.ts'
import type { JobRow } from '../../jobs/tables.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../actor.ts'
import { openCarrier } from '../carrier.ts'
import { cancelQueued } from './cancel.ts'
import { cancelledEnd, type Ended } from './ends.ts'
import { type BoundWork, callerAtTurn, leftWorkOf, type Working } from './working.ts'

/** Carries out the change of a job at its turn. */
export async function carryTurn(working: Working, bound: BoundWork, run: CarriedRun): Promise<void> {
  const { store, executor, ends, log, retryMs } = working
  const { row: job, signal } = run
  const { kind } = bound
  await setImmediate() // the caller who ordered it is waiting by then
  const row = await run.untilStored(() => changeOf(store, job.change_id))
  const input: unknown = JSON.parse(store.unseal(job.input))
  const left = leftWorkOf(working, row)
  const carrier = openCarrier({ row: job, changeId: row.id, kind, input, retryMs, left, run })
  const decide = async () => {
    const caller = await callerAtTurn(working, bound, row)
    return working.decide(bound, { input, caller, jobId: job.id, signal })
  }
  try {
    const { reply, activityId, isUndoable } = await executor.execute({
      decide,
      actor: actorOf(row),
      keepsReply: !holdsSecret(kind.reply),
      signal,
      actSignal: signal,
      carrier,
    })
    ends.tell(job.id, isUndoable ? { reply, undoId: activityId } : { reply })
  } catch (error) {
    if (!isRefusal(error) && !signal.aborted) log.error({ err: error, jobId: job.id }, 'a job failed')
    const { state, outcome } = await run.untilStored(() => changeAfter(store, job, row.id))
    // it is tried again, and the waiting callers keep waiting
    if (state === 'queued' && signal.reason === cancelled)
      return void (await run.untilStored(() => cancelQueued(working, job.id)))
    if (state === 'queued' && signal.reason !== stopping) return
    ends.tell(job.id, endOf(error, signal.reason, outcome === 'restored' ? 'restored' : 'failed'))
  }
}

/** The change after a turn. Where the store kept the turn from beginning, the job waits for another one. */
async function changeAfter(store: Store, job: JobRow, changeId: number) {
  const change = await changeOf(store, changeId)
  const { state, attempt } = await store.db
    .selectFrom('jobs')
    .select(['state', 'attempt'])
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const isOpen = change.state === 'queued' && state === 'running' && attempt === job.attempt
  if (isOpen)
    await settle(store, job.id, {
      state: 'queued',
      message: 'Waits for its turn again, as the database of the panel could not be reached',
      attempt: job.attempt - 1,
    })
  return change
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
