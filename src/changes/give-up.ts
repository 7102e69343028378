import type { Step } from '../core/change.ts'
import { Problem } from '../core/problem.ts'
import { appendActivity } from './activity.ts'
import type { Carrying } from './executor.ts'
import { keyNames } from './idempotency.ts'
import { undoSteps } from './undo.ts'
import type { StepKinds, Work } from './work.ts'

/** Where a change failed, and what its steps had done by then. */
export interface Failure {
  readonly changeId: number
  readonly startedAt: number
  readonly error: unknown
  readonly work: Work
}

interface Ending {
  readonly outcome: 'failed' | 'restored'
  readonly message: string
  /** The steps that could not be undone. */
  readonly left: Work
}

/** Undoes the steps done, in reverse, and records how that ended: as soon as the store takes it. */
export async function giveUp(carrying: Carrying<unknown>, failure: Failure): Promise<'failed' | 'restored'> {
  const { log, order, change, unsettled } = carrying
  const { changeId } = failure
  const ending = await undo(carrying, failure)
  try {
    await storeEnding(carrying, failure, ending)
  } catch (error) {
    log.error({ err: error, changeId }, 'the end of a failed change could not be stored')
    if (change.steps.length === 0) return ending.outcome // nothing has happened, and nothing was stored of it
    const finish = () => undoRestAndStore(carrying, failure, ending)
    unsettled.add({ changeId, names: [...change.locks, ...keyNames(order)], finish, error })
  }
  return ending.outcome
}

/** What could not be undone on a full disk may be undone now: nothing else has held its locks since. */
async function undoRestAndStore(
  carrying: Carrying<unknown>,
  failure: Failure,
  ending: Ending,
): Promise<void> {
  const isRest = ending.outcome === 'failed'
  const last = isRest ? await undo(carrying, { ...failure, work: ending.left }) : ending
  await storeEnding(carrying, failure, last)
}

async function undo({ log, change }: Carrying<unknown>, failure: Failure): Promise<Ending> {
  const kinds: StepKinds = new Map(change.steps.map(({ kind }) => [kind.name, kind]))
  const { failures, left } = await undoSteps(failure.work, kinds)
  for (const problem of failures)
    log.error({ err: problem, changeId: failure.changeId }, 'undoing a step failed')
  const reason = failure.error instanceof Problem ? failure.error.message : 'internal error'
  const message = [reason, ...failures.map((problem) => `undo: ${problem.message}`)].join('; ').slice(0, 4000)
  return { outcome: failures.length > 0 ? 'failed' : 'restored', message, left }
}

async function storeEnding(
  { store, order, change }: Carrying<unknown>,
  { changeId, startedAt }: Failure,
  { outcome, message }: Ending,
): Promise<void> {
  const now = new Date().toISOString()
  await store.transaction(async (tx) => {
    await tx
      .updateTable('changes')
      .set({ state: 'settled', outcome, error: message, settled_at: now, idempotency_key: null })
      .where('id', '=', changeId)
      .execute()
    await appendActivity(store, tx, {
      ...order.actor.entry,
      status: outcome,
      message,
      duration_ms: Math.round(performance.now() - startedAt),
      change_id: change.steps.length > 0 ? changeId : null,
      created_at: now,
    })
  })
}

/** Tells the caller that everything is as it was, where that is so: a step that cannot be undone may have done a part. */
export async function sayRestored(error: unknown, acted: readonly Step[]): Promise<unknown> {
  if (!(error instanceof Problem) || error.fields['is_partial'] === true) return error
  const plans = await Promise.allSettled(acted.map(async ({ kind, args }) => kind.plan(args)))
  if (plans.some((plan) => plan.status === 'rejected' || plan.value.irreversible !== undefined)) return error // a plan that cannot be read promises nothing
  return error.kind(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} Nothing was changed.`, {
    cause: error.cause,
    fields: error.fields,
    status: error.status,
  })
}
