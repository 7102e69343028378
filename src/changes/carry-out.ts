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
  await intend(carrying, changeId, intent)
  onPoint('intended')
  const work = await act(carrying, { changeId, startedAt, planned })
  onPoint('acted')
  const settled = await settleOrGiveUp(carrying, { work, changeId, intent, startedAt })
  onPoint('settled')
  return { changeId, ...settled, isRepeat: false }
}

/**
 * The row of a job's change exists since it was queued; a change without steps is written when it is settled.
 */
async function intend(
  { store, order, change }: Carrying<unknown>,
  changeId: number,
  intent: ReturnType<typeof intentRow>,
): Promise<void> {
  const { summary, state, locks, work } = intent
  const queued = {
    write: 'update' as const,
    table: 'changes',
    where: { id: changeId, state: 'queued' },
    set: { summary, state, locks, work },
  }
  if (order.carrier === undefined && change.steps.length === 0) return
  await store.transaction((tx) =>
    store.write(tx, [order.carrier ? queued : { write: 'insert', table: 'changes', values: intent }]),
  )
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
}

async function act(carrying: Carrying<unknown>, { changeId, startedAt, planned }: Acting): Promise<Work> {
  const { change, order, clock, onPoint } = carrying
  let work = planned
  for (const [index, { kind, live }] of change.steps.entries()) {
    try {
      order.actSignal.throwIfAborted()
      work = fillStep(work, index)
      const args = work.steps[index]?.args
      const before = await kind.observe(args)
      work = markActing(work, index, before)
      await keepWork(carrying, changeId, work)
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
      const outcome = await giveUp(carrying, { changeId, startedAt, error, work })
      throw outcome === 'restored' ? await sayRestored(error, change.steps.slice(0, index + 1), work) : error
    }
  }
  return work
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
    signal: actSignal,
    progress: (percent, message) =>
      carrier?.progress(overallPercent(percent, index, change.steps.length), carrier.blot(message)),
    output: (line) => carrier?.output(carrier.blot(line)),
  }
}
