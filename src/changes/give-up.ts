import type { Step } from '../core/change.ts'
import { Problem } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { type ActivityEntry, appendActivity } from './activity.ts'
import { cancelled, outOfTime, stopping } from '../jobs/perform.ts'
import type { Carrier, JobEnd } from './carrier.ts'
import type { Carrying } from './carry-out.ts'
import type { Order } from './executor.ts'
import { keyNames } from './idempotency.ts'
import type { ChangeOutcome } from './tables.ts'
import { canContinue } from './left-work.ts'
import { undoSteps } from './undo.ts'
import { kindsOf, packWork, type Work } from './work.ts'

/** A failed change, and the state of its steps. */
export interface Failure {
  readonly changeId: number
  readonly startedAt: number
  readonly error: unknown
  readonly work: Work
}

interface Ending {
  readonly outcome: Exclude<ChangeOutcome, 'ok'>
  readonly message: string
  /** The steps that could not be undone. */
  readonly left: Work
}

/** Undoes completed steps in reverse, and records the outcome as soon as the store accepts it. */
export async function giveUp(carrying: Carrying<unknown>, failed: Failure): Promise<Ending['outcome']> {
  const { log, order, change, unsettled } = carrying
  const { changeId } = failed
  const failure = { ...failed, error: reasonOf(order, failed.error) }
  await order.carrier?.flush()
  if (await leaveForNextTurn(carrying, failure)) return 'restored'
  await carrying.clock?.silence()
  const ending = await undo(carrying, failure)
  try {
    await storeEnding(carrying, failure, ending)
  } catch (error) {
    log.error({ err: error, changeId }, 'the end of a failed change could not be stored')
    // nothing was done or stored
    if (change.steps.length === 0 && order.carrier === undefined) return ending.outcome
    const finish = () => undoRestAndStore(carrying, failure, ending)
    unsettled.add({ changeId, names: [...change.locks, ...keyNames(order)], finish, error })
  }
  return ending.outcome
}

/** Queues the job again without an undo, if its steps continue what the stop of the panel leaves. */
async function leaveForNextTurn(
  { store, log, order, change }: Carrying<unknown>,
  { changeId, error, work }: Failure,
): Promise<boolean> {
  const { carrier } = order
  const again = error === stopping ? carrier?.againAfter(error, true) : undefined
  if (carrier === undefined || again === undefined || !canContinue(work, kindsOf(change))) return false
  try {
    await queueAgain(store, carrier, again, work)
  } catch (failure) {
    // the next start finds the job as after a kill
    log.error({ err: failure, changeId }, 'a job could not be queued again')
  }
  return true
}

/** A step that a full disk kept from being undone is tried again; its locks have been held since. */
async function undoRestAndStore(
  carrying: Carrying<unknown>,
  failure: Failure,
  ending: Ending,
): Promise<void> {
  const isRest = ending.outcome === 'failed'
  const last = isRest ? await undo(carrying, { ...failure, work: ending.left }) : ending
  await storeEnding(carrying, failure, last)
}

async function undo(carrying: Carrying<unknown>, failure: Failure): Promise<Ending> {
  const { log, change, order } = carrying
  await awaitPrograms(carrying, failure)
  const { failures, left } = await undoSteps(failure.work, kindsOf(change), failure.changeId)
  for (const problem of failures)
    log.error({ err: problem, changeId: failure.changeId }, 'undoing a step failed')
  const { outcome, message } = endingOf(failure.error)
  const all = [message, ...failures.map((problem) => `undo: ${problem.message}`)].join('; ')
  return { outcome: failures.length > 0 ? 'failed' : outcome, message: shown(all, order.carrier), left }
}

/**
 * Waits for programs that outlived the one that the panel waited for, as where all processes of its unit are
 * told to end: they would do again what is undone. A panel that ends meanwhile leaves the change to its next start.
 */
async function awaitPrograms(
  { programs, change }: Carrying<unknown>,
  { changeId, work }: Failure,
): Promise<void> {
  const kinds = kindsOf(change)
  for (const [index, { kind, isActing }] of work.steps.entries())
    if (isActing && kinds.get(kind)?.orphans === 'await')
      await programs?.await(`${changeId}:${index}`, new AbortController().signal, () => {})
}

/** A step that was cancelled, or ran out of time, fails with the reason of its signal. */
const reasonOf = ({ carrier, actSignal }: Pick<Order<unknown>, 'carrier' | 'actSignal'>, error: unknown) =>
  carrier !== undefined && actSignal.aborted ? (actSignal.reason as unknown) : error

function endingOf(error: unknown): Pick<Ending, 'outcome' | 'message'> {
  if (error === cancelled) return { outcome: 'cancelled', message: 'Cancelled' }
  if (error === stopping) return { outcome: 'restored', message: 'Interrupted: the panel stopped' }
  if (error === outOfTime) return { outcome: 'restored', message: 'The time limit was reached' }
  if (!(error instanceof Problem)) return { outcome: 'restored', message: 'internal error' }
  return { outcome: error.fields['is_partial'] === true ? 'failed' : 'restored', message: error.message }
}

const shown = (message: string, carrier: Carrier | undefined): string =>
  (carrier?.blot(message) ?? message).slice(0, 4000)

async function storeEnding(
  { store, order, change }: Carrying<unknown>,
  { changeId, startedAt, error }: Failure,
  ending: Ending,
): Promise<void> {
  const { carrier } = order
  const again = ending.outcome === 'restored' ? carrier?.againAfter(error, true) : undefined
  if (carrier && again) return queueAgain(store, carrier, again)
  const entry = {
    ...order.actor.entry,
    status: ending.outcome,
    message: ending.message,
    duration_ms: Math.round(performance.now() - startedAt),
    change_id: change.steps.length > 0 || carrier !== undefined ? changeId : null,
  }
  await endChange(store, { changeId, carrier, ending, entry, error })
}

interface ChangeEnd {
  readonly changeId: number
  readonly carrier: Carrier | undefined
  readonly ending: Pick<Ending, 'outcome' | 'message'>
  readonly entry: Omit<ActivityEntry, 'created_at'>
  readonly error: unknown
}

async function endChange(
  store: Store,
  { changeId, carrier, ending: { outcome, message }, entry, error }: ChangeEnd,
): Promise<void> {
  const now = new Date().toISOString()
  await store.transaction(async (tx) => {
    await tx
      .updateTable('changes')
      .set({
        state: 'settled',
        outcome,
        error: message,
        settled_at: now,
        idempotency_key: null,
        outbox: null,
      })
      .where('id', '=', changeId)
      .execute()
    if (carrier) await store.write(tx, [carrier.end(jobEndOf(outcome, message, error === stopping))])
    await appendActivity(store, tx, { ...entry, created_at: now })
  })
}

function jobEndOf(outcome: Ending['outcome'], message: string, isInterrupted: boolean): JobEnd {
  if (outcome === 'cancelled') return { state: 'cancelled', message }
  return { state: isInterrupted && outcome === 'restored' ? 'interrupted' : 'failed', message }
}

/**
 * Queues the job again, without an activity entry for this turn. Everything was undone, except for the steps
 * that continue what they left.
 */
export async function queueAgain(store: Store, carrier: Carrier, end: JobEnd, left?: Work): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .updateTable('changes')
      .set({ state: 'queued', work: left === undefined ? null : packWork(store, left) })
      .where('id', '=', carrier.changeId)
      .execute()
    await store.write(tx, [carrier.end(end)])
  })
}

/** Ends the change of a job that was refused, cancelled or interrupted before it began, as soon as the store accepts it. */
export async function endUndecided(
  { store, log }: Pick<Carrying<unknown>, 'store' | 'log'>,
  order: Pick<Order<unknown>, 'actor' | 'actSignal'> & { readonly carrier: Carrier },
  refusal: unknown,
): Promise<void> {
  const { actor, carrier } = order
  const { changeId } = carrier
  const error = reasonOf(order, refusal)
  await carrier.flush()
  const again = carrier.againAfter(error, false)
  if (again)
    return carrier.untilStored(() => store.transaction((tx) => store.write(tx, [carrier.end(again)])))
  await carrier.left?.undo()
  const { outcome, message } = endingOf(error)
  const ending = {
    outcome: outcome === 'restored' ? ('failed' as const) : outcome,
    message: shown(message, carrier),
  }
  if (message === 'internal error')
    log.error({ err: error, changeId }, 'a queued change could not be decided')
  const entry = {
    ...actor.entry,
    status: ending.outcome,
    message: ending.message,
    duration_ms: 0,
    change_id: changeId,
  }
  await carrier.untilStored(() => endChange(store, { changeId, carrier, ending, entry, error }))
}

/**
 * Tells the caller that everything was undone, if that is certain: a step that cannot be undone may have been
 * done in part.
 */
export async function sayRestored(error: unknown, acted: readonly Step[], work: Work): Promise<unknown> {
  if (!(error instanceof Problem) || error.fields['is_partial'] === true) return error
  const plans = await Promise.allSettled(
    acted.map(async ({ kind }, index) => kind.plan(work.steps[index]?.args)),
  )
  // without a plan nothing is certain
  if (plans.some((plan) => plan.status === 'rejected' || plan.value.irreversible !== undefined)) return error
  return error.kind(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} Nothing was changed.`, {
    cause: error.cause,
    fields: error.fields,
    status: error.status,
  })
}
