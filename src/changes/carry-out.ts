import { actingStep } from '../core/acting.ts'
import type { Change, StepRun } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import type { Store } from '../store/store.ts'
import { intentRow } from './actor.ts'
import { overallPercent } from './carrier.ts'
import type { Order, Outcome } from './executor.ts'
import { giveUp, sayRestored } from './give-up.ts'
import { settleDone } from './settle.ts'
import type { ChangeClock } from './provisional/clock.ts'
import { keepProvisional } from './provisional/keep.ts'
import type { Programs } from './programs.ts'
import type { Unsettled } from './unsettled.ts'
import {
  fillStep,
  forStore,
  markActing,
  markReturned,
  packWork,
  usesResult,
  type Work,
  workOf,
} from './work.ts'

/** A change in progress, and the parts that it uses. */
export interface Carrying<Reply> {
  readonly store: Store
  readonly log: Log
  readonly unsettled: Unsettled
  readonly onPoint: (point: string) => void
  readonly isWork: (kind: string) => boolean
  /** The programs that steps have started. */
  readonly programs?: Programs
  readonly order: Order<Reply>
  readonly change: Change<Reply>
  /** Undoes a provisional change without the panel. */
  readonly clock?: ChangeClock
}

/** Records, carries out and settles a decided change under its locks. */
export async function carryOut<Reply>(carrying: Carrying<Reply>): Promise<Outcome<Reply>> {
  const { store, order, change, clock, onPoint } = carrying
  const changeId = order.carrier?.changeId ?? clock?.changeId ?? store.nextId('changes')
  const fresh = workOf(change, order.carrier !== undefined && order.keepsReply)
  const planned = (await order.carrier?.left?.continuedBy(fresh)) ?? fresh
  const confirmUntil = clock?.confirmUntil
  const intent = intentRow({ id: changeId, change, order, work: packWork(store, planned), confirmUntil })
  const startedAt = performance.now()
  const work = await act(carrying, { changeId, startedAt, planned, intent })
  onPoint('acted')
  const settled = await settleOrGiveUp(carrying, { work, changeId, intent, startedAt })
  onPoint('settled')
  return { changeId, ...settled, isRepeat: false }
}

/**
 * Records the change before it acts, with the observation of its first step. The row of a job's change exists
 * since it was queued; a change without steps is written when it is settled.
 */
async function intend(
  { store, order, change, onPoint }: Carrying<unknown>,
  { changeId, intent }: Acting,
  observed?: Work,
): Promise<void> {
  const { summary, state, locks } = intent
  const work = observed === undefined ? intent.work : packWork(store, forStore(observed))
  const queued = {
    write: 'update' as const,
    table: 'changes',
    where: { id: changeId, state: 'queued' },
    set: { summary, state, locks, work },
  }
  const inserted = { write: 'insert' as const, table: 'changes', values: { ...intent, work } }
  if (order.carrier !== undefined || change.steps.length > 0)
    await store.transaction((tx) => store.write(tx, [order.carrier ? queued : inserted]))
  onPoint('intended')
}

interface Ending {
  readonly work: Work
  readonly changeId: number
  readonly intent: ReturnType<typeof intentRow>
  readonly startedAt: number
}

async function settleOrGiveUp<Reply>(carrying: Carrying<Reply>, ending: Ending) {
  const { store, order, change, clock, isWork } = carrying
  const { changeId, intent, work, startedAt } = ending
  try {
    if (clock) return { reply: await keepProvisional({ store, order, change, clock, work }) }
    await order.carrier?.flush()
    const durationMs = performance.now() - startedAt
    return await settleDone({ store, order, change, changeId, intent, work, durationMs, isWork })
  } catch (error) {
    await giveUp(carrying, { changeId, startedAt, error, work })
    throw error
  }
}

interface Acting {
  readonly changeId: number
  readonly startedAt: number
  readonly planned: Work
  readonly intent: ReturnType<typeof intentRow>
}

async function act(carrying: Carrying<unknown>, acting: Acting): Promise<Work> {
  const { change, order, clock, onPoint } = carrying
  const { changeId } = acting
  let work = await begin(carrying, acting)
  for (const [index, { kind, live }] of change.steps.entries()) {
    try {
      order.actSignal.throwIfAborted()
      if (index > 0) {
        work = await observe(change, work, index)
        await keepWork(carrying, changeId, work)
      }
      const { args, before } = work.steps[index]!
      if (kind.armed) await clock?.arm(index, kind.armed(args, before))
      onPoint(`before:${index}`)
      const token = `${changeId}:${index}`
      const run = stepRun(carrying, index, { before, live, token })
      const result = await actingStep.run({ token }, async () => kind.act(args, run))
      onPoint(`after:${index}`)
      work = markReturned(work, index, result)
      if (usesResult(work, index)) await keepWork(carrying, changeId, work)
      onPoint(`stored:${index}`)
    } catch (error) {
      throw await failed(carrying, acting, { work, index, error })
    }
  }
  return work
}

/** Observes the first step and records the change in one commit. A refusal is recorded as a change, too. */
async function begin(carrying: Carrying<unknown>, acting: Acting): Promise<Work> {
  const { change, order } = carrying
  const { planned } = acting
  if (change.steps.length === 0) {
    await intend(carrying, acting)
    return planned
  }
  let work = planned
  try {
    order.actSignal.throwIfAborted()
    work = await observe(change, planned, 0)
  } catch (error) {
    await intend(carrying, acting)
    throw await failed(carrying, acting, { work, index: 0, error })
  }
  await intend(carrying, acting, work)
  return work
}

/** Returns the work with the arguments of a step filled in, and its state before it acts. */
async function observe({ steps }: Change, work: Work, index: number): Promise<Work> {
  const filled = fillStep(work, index)
  return markActing(filled, index, await steps[index]!.kind.observe(filled.steps[index]!.args))
}

interface Failed {
  readonly work: Work
  readonly index: number
  readonly error: unknown
}

async function failed(
  carrying: Carrying<unknown>,
  { changeId, startedAt }: Acting,
  { work, index, error }: Failed,
): Promise<unknown> {
  const outcome = await giveUp(carrying, { changeId, startedAt, error, work })
  const acted = carrying.change.steps.slice(0, index + 1)
  return outcome === 'restored' ? sayRestored(error, acted, work) : error
}

async function keepWork({ store }: Carrying<unknown>, changeId: number, work: Work): Promise<void> {
  const packed = packWork(store, forStore(work))
  await store.transaction((tx) =>
    tx.updateTable('changes').set({ work: packed }).where('id', '=', changeId).execute(),
  )
}

function stepRun(
  { change, order: { actSignal, carrier } }: Carrying<unknown>,
  index: number,
  of: Pick<StepRun<unknown>, 'before' | 'live' | 'token'>,
): StepRun<unknown> {
  return {
    ...of,
    isJustObserved: true,
    signal: actSignal,
    progress: (percent, message) =>
      carrier?.progress(overallPercent(percent, index, change.steps.length), carrier.blot(message)),
    output: (line) => carrier?.output(carrier.blot(line)),
  }
}
