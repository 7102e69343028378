import { actingStep } from '../core/acting.ts'
import type { StepKind, StepPlan, StepState } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import { storedLocks } from '../core/lock.ts'
import { isDiskProblem } from '../store/disk-failures.ts'
import type { Store } from '../store/store.ts'
import { appendActivity } from './activity.ts'
import { actorOf, entryOf } from './actor.ts'
import { type Carrier, type JobEnd, killed } from './carrier.ts'
import { followUps } from './follow-ups.ts'
import { queueAgain } from './give-up.ts'
import { keyName } from './idempotency.ts'
import { outboxWrites } from './outbox.ts'
import { canContinue } from './left-work.ts'
import { type Programs, settlePrograms } from './programs.ts'
import type { ChangeOutcome, ChangeRow } from './tables.ts'
import { undoSteps } from './undo.ts'
import { writeUndoable } from './undo-by-id/settled.ts'
import type { Unsettled } from './unsettled.ts'
import { fillRest, markReturned, type StepKinds, unpackWork, usesResult, type Work } from './work.ts'

/** The outcome of an interrupted change. */
export interface Recovery {
  readonly changeId: number
  readonly outcome: ChangeOutcome
  readonly message: string
}

/** The parts that settle interrupted changes. */
export interface Recovering {
  readonly store: Store
  readonly log: Log
  readonly unsettled: Unsettled
  readonly isWork: (kind: string) => boolean
  readonly programs?: Programs
  /** Ends the waiting for programs; absent before the panel listens, when it waits for none. */
  readonly stop?: AbortSignal
}

/**
 * Settles the changes that a killed panel left: a change is completed if every step is in its wanted state,
 * otherwise undone. Runs before the first request. Ends that do not fit on a full disk are stored later.
 */
export async function recoverChanges(recovering: Recovering, kinds: StepKinds): Promise<readonly Recovery[]> {
  const { store, log, unsettled } = recovering
  const rows = await store.db
    .selectFrom('changes')
    .selectAll()
    .where('state', '=', 'intended')
    .where('job_id', 'is', null)
    .where('confirm_until', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  const recoveries: Recovery[] = []
  const settleOne = async (row: ChangeRow): Promise<void> => {
    recoveries.push(await recover(recovering, kinds, row))
  }
  for (const row of rows) {
    try {
      await settleOne(row)
    } catch (error) {
      // without stored locks nothing would keep later changes away
      if (!isDiskProblem(error) || row.locks === null) throw error
      log.error({ err: error, changeId: row.id }, 'a change that was cut off could not be settled')
      const key = row.idempotency_key === null ? [] : [keyName(row.user_id, row.idempotency_key)]
      const names = [...storedLocks(row.locks), ...key]
      unsettled.add({ changeId: row.id, names, finish: () => settleOne(row), error })
    }
  }
  return recoveries
}

const cutOff = 'cut off by a restart of the panel'

/** A change that a job was carrying out when the panel was killed. */
interface Cut {
  readonly carrier: Carrier
  readonly isCancelling: boolean
}

/** Settles one interrupted change, together with its job if it has one. */
export async function recover(
  recovering: Recovering,
  kinds: StepKinds,
  row: ChangeRow,
  cut?: Cut,
): Promise<Recovery> {
  const recovery = await settleCutOff(recovering, kinds, row, cut)
  recovering.log.warn({ ...recovery }, 'a change that was cut off has been settled')
  return recovery
}

async function settleCutOff(
  recovering: Recovering,
  kinds: StepKinds,
  row: ChangeRow,
  cut: Cut | undefined,
): Promise<Recovery> {
  const { store } = recovering
  // locks of jobs are held again before other changes act
  const later = cut === undefined ? await overtakenBy(store, row) : undefined
  if (later !== undefined) {
    const message = `${cutOff}; change ${later} has held the same locks since, so nothing was undone: look at what it was to change`
    await settle(recovering, row, { outcome: 'failed', message })
    return { changeId: row.id, outcome: 'failed', message }
  }
  const work = unpackWork(store, row.work as string)
  await settlePrograms(recovering, kinds, { changeId: row.id, work, carrier: cut?.carrier })
  const obstacle = cut?.isCancelling ? 'Cancelled' : await complete({ recovering, kinds, row, cut }, work)
  if (obstacle === undefined) return { changeId: row.id, outcome: 'ok', message: row.summary }
  const again = cut?.isCancelling ? undefined : cut?.carrier.againAfter(killed, true)
  if (cut && again && canContinue(work, kinds)) {
    await queueAgain(store, cut.carrier, again, work)
    return { changeId: row.id, outcome: 'restored', message: `${cutOff}; continues at its next turn` }
  }
  const { failures } = await undoSteps(work, kinds, row.id)
  const left = await remains(work, kinds)
  const restored = cut?.isCancelling ? 'cancelled' : 'restored'
  const outcome = failures.length + left.length > 0 ? 'failed' : restored
  const message = [cutOff, obstacle, ...failures.map((failure) => `undo: ${failure.message}`), ...left]
    .filter(Boolean)
    .join('; ')
    .slice(0, 4000)
  await settle(recovering, row, { outcome, message, cut, obstacle })
  return { changeId: row.id, outcome, message }
}

/**
 * The later change that held one of the same locks and had an effect: an undo below it would undo its work.
 * For rows of an older panel, which stored no locks, any later change counts.
 */
async function overtakenBy(store: Store, { id, locks }: ChangeRow): Promise<number | undefined> {
  const rows = await store.db
    .selectFrom('changes')
    .select(['id', 'locks'])
    .where('id', '>', id)
    .where('state', '=', 'settled')
    .where('outcome', '!=', 'restored')
    .orderBy('id')
    .execute()
  const names = locks === null ? undefined : new Set(storedLocks(locks))
  const isShared = (other: string | null): boolean =>
    names === undefined || other === null || storedLocks(other).some((name) => names.has(name))
  return rows.find((row) => isShared(row.locks))?.id
}

interface Completing {
  readonly recovering: Recovering
  readonly kinds: StepKinds
  readonly row: ChangeRow
  readonly cut: Cut | undefined
}

/**
 * Completes a change whose steps are all in their wanted state; otherwise returns the obstacle instead of
 * throwing, as one change must not keep the panel from starting.
 */
async function complete(
  { recovering, kinds, row, cut }: Completing,
  work: Work,
): Promise<string | undefined> {
  let done: Work
  try {
    for (const [index, { kind, args, before, isActing }] of work.steps.entries()) {
      const token = `${row.id}:${index}`
      if (isActing) await actingStep.run({ token }, async () => kinds.get(kind)?.recover?.(args, before))
    }
    if (!(await isDone(work, kinds))) return ''
    const returned = await readAgain(work, kinds)
    if (returned === undefined) return 'what a step returned is not known'
    done = fillRest(returned)
  } catch (error) {
    return obstacleOf(error)
  }
  try {
    const message = `${row.summary} (completed after a restart)`
    await settle(recovering, row, { outcome: 'ok', message, work: done, kinds, cut })
    return undefined
  } catch (error) {
    if (isDiskProblem(error)) throw error // it can be completed once the disk takes it
    return obstacleOf(error)
  }
}

/** Reads results that the kill kept from being stored; undefined if one is unknown. */
async function readAgain(work: Work, kinds: StepKinds): Promise<Work | undefined> {
  let known = work
  for (const [index, { kind, args, before, result }] of work.steps.entries()) {
    if (!usesResult(work, index) || result !== undefined) continue
    const found = await kinds.get(kind)?.again?.(args, before)
    if (found === undefined) return undefined
    known = markReturned(known, index, found)
  }
  return known
}

const obstacleOf = (error: unknown): string =>
  `it could not be completed: ${error instanceof Error ? error.message : String(error)}`

async function isDone(work: Work, kinds: StepKinds): Promise<boolean> {
  for (const step of work.steps) {
    const kind = kinds.get(step.kind)
    if (!step.isActing || kind === undefined) return false
    if ((await kind.check(step.args, step.before)) !== 'wanted') return false
  }
  return true
}

/** The effects that may remain after the undo, of steps that cannot be undone. */
async function remains(work: Work, kinds: StepKinds): Promise<readonly string[]> {
  const left: string[] = []
  for (const step of work.steps) {
    const kind = kinds.get(step.kind)
    if (!step.isActing || kind === undefined) continue
    const { title, irreversible } = await planOf(kind, step.args)
    if (irreversible === undefined) continue
    const state = await stateOf(kind, step)
    if (state !== 'before') left.push(`${title}: it ${state === 'wanted' ? 'stands' : 'may stand in part'}`)
  }
  return [...new Set(left)]
}

async function planOf(kind: StepKind, args: unknown): Promise<StepPlan> {
  try {
    return await kind.plan(args)
  } catch {
    return { title: kind.name } // the target is gone, and its traces with it
  }
}

async function stateOf(kind: StepKind, { args, before }: Work['steps'][number]): Promise<StepState> {
  try {
    return await kind.check(args, before)
  } catch {
    return 'other' // the state cannot be determined
  }
}

interface Settlement {
  readonly outcome: ChangeOutcome
  readonly message: string
  readonly work?: Work
  readonly kinds?: StepKinds
  readonly cut?: Cut | undefined
  /** Why a change that was cut off could not be completed, where there is a reason besides the cut. */
  readonly obstacle?: string
}

/** Settles a change from its stored row. */
export async function settle(
  { store, isWork }: Pick<Recovering, 'store' | 'isWork'>,
  row: ChangeRow,
  { outcome, message, work, kinds, cut, obstacle }: Settlement,
): Promise<void> {
  const now = new Date()
  const again = outcome === 'restored' ? cut?.carrier.againAfter(killed, true) : undefined
  if (cut && again) return queueAgain(store, cut.carrier, again)
  const followed = followUps(store, work?.jobs ?? [], { entry: entryOf(row), now, isWork })
  const set = {
    state: 'settled',
    outcome,
    error: outcome === 'ok' ? null : message,
    settled_at: now.toISOString(),
    outbox: null,
    ...(outcome !== 'ok' && { idempotency_key: null }),
  }
  await store.transaction(async (tx) => {
    const end = cut && cut.carrier.end(jobEndOf({ outcome, message, work, obstacle }))
    const undo = work && (await writeUndoable(store, tx, { work, kinds: kinds ?? new Map() }))
    await store.write(tx, [
      { write: 'update', table: 'changes', where: { id: row.id }, set: { ...set, ...undo } },
      ...followed.writes,
      ...(outcome === 'ok' ? outboxWrites(store, actorOf(row), now) : []),
      ...(end ? [end] : []),
    ])
    await appendActivity(store, tx, {
      ...entryOf(row),
      status: outcome,
      message,
      duration_ms: now.getTime() - Date.parse(row.created_at),
      change_id: row.id,
      created_at: now.toISOString(),
    })
  })
}

function jobEndOf({
  outcome,
  message,
  work,
  obstacle = '',
}: Pick<Settlement, 'outcome' | 'message' | 'work' | 'obstacle'>): JobEnd {
  if (outcome === 'ok') return { state: 'succeeded', message: 'Done', result: work?.reply }
  if (outcome === 'restored' && obstacle !== '') return { state: 'failed', message: obstacle }
  if (outcome === 'restored')
    return { state: 'interrupted', message: 'Interrupted by a restart of the panel' }
  return { state: outcome, message }
}
