import type { AnyStepKind, Change } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import type { Store } from '../store/store.ts'
import { type Actor, intentRow } from './actor.ts'
import { giveUp, sayRestored } from './give-up.ts'
import { earlierAnswer, type Idempotency, keyNames, openKeys } from './idempotency.ts'
import { type Locks, openLocks } from './locks.ts'
import { describeChange, type ChangePlan } from './plan.ts'
import { recoverChanges, type Recovery } from './recover.ts'
import { settleDone } from './settle.ts'
import { openUnsettled, type Unsettled } from './unsettled.ts'
import { markActing, packWork, type StepKinds, type Work, workOf } from './work.ts'

/** A change to carry out: how it is decided, for whom, and under which key. */
export interface Order<Reply> {
  /** Pure: may be called again when a lock had to be waited for. */
  readonly decide: () => Promise<Change<Reply>>
  readonly actor: Actor
  readonly idempotency?: Idempotency
  /** Whether the reply may be kept for a repeat with the same key; not when it holds a secret. */
  readonly keepsReply: boolean
  readonly signal: AbortSignal
}

/** What came of an order. */
export interface Outcome<Reply> {
  readonly changeId: number
  readonly reply: Reply
  /** Whether it was answered from an earlier request with the same key. */
  readonly isRepeat: boolean
}

/** The one executor of all changes: decide, intend, act, settle; a failed step undoes those before it. */
export interface Executor {
  execute<Reply>(order: Order<Reply>): Promise<Outcome<Reply>>
  plan(decide: () => Promise<Change>): Promise<ChangePlan>
  /** Settles what a killed panel left unsettled. Call it before the first change. */
  recover(kinds: StepKinds): Promise<readonly Recovery[]>
  /** Ends the retries of what the store did not take. Call it before the store is closed. */
  close(): Promise<void>
}

interface ExecutorOptions {
  readonly store: Store
  readonly log: Log
  /** Whether a restarted panel would find this kind of step again: no other may act. */
  readonly isRegistered?: (kind: AnyStepKind) => boolean
  /** Called between the parts of a change; tests kill the process here. */
  readonly onPoint?: (point: string) => void
  /** How often the end of a change is offered to a store that did not take it. */
  readonly retryMs?: number
}

/** Opens the executor of one panel. */
export function openExecutor({
  store,
  log,
  isRegistered = () => true,
  onPoint = () => {},
  retryMs,
}: ExecutorOptions): Executor {
  const locks = openLocks()
  const keys = openKeys()
  const unsettled = openUnsettled({ locks, log, ...(retryMs !== undefined && { retryMs }) })
  const decideAndCarryOut = async <Reply>(order: Order<Reply>): Promise<Outcome<Reply>> => {
    const earlier = order.idempotency && (await earlierAnswer(store, order.actor, order.idempotency))
    if (earlier) return earlier as Outcome<Reply>
    const { change, release } = await decideLocked({ locks, unsettled }, order)
    try {
      refuseUnregistered(change, isRegistered)
      return await carryOut({ store, log, unsettled, onPoint, order, change })
    } finally {
      release()
    }
  }
  return {
    plan: async (decide) => {
      const change = await decide()
      refuseUnregistered(change, isRegistered)
      return describeChange(change)
    },
    execute: async (order) => {
      await unsettled.settle(keyNames(order))
      const release = order.idempotency && keys.claim(order.actor, order.idempotency)
      try {
        return await decideAndCarryOut(order)
      } finally {
        release?.()
      }
    },
    recover: (kinds) => recoverChanges({ store, log, unsettled }, kinds),
    close: unsettled.close,
  }
}

function refuseUnregistered({ steps }: Change, isRegistered: (kind: AnyStepKind) => boolean): void {
  const unknown = steps.find(({ kind }) => !isRegistered(kind))
  if (unknown !== undefined)
    throw new Error(
      `the step kind ${unknown.kind.name} is not registered: list it in the steps of its area or tool`,
    )
}

const mostDecisions = 50

/** Decides, takes the locks that the decision names, and decides again when one of them was held by somebody meanwhile. */
async function decideLocked<Reply>(held: Held, { decide, signal }: Order<Reply>) {
  const { locks } = held
  let names: readonly string[] = []
  for (let decisions = 0; decisions < mostDecisions; decisions++) {
    const release = await acquireSettled(held, names, signal)
    try {
      const mark = locks.now()
      const change = await decide()
      const missing = change.locks.filter((name) => !names.includes(name))
      if (missing.length === 0) return { change, release }
      const more = names.length === 0 ? await takeFresh(held, missing, mark, signal) : undefined // taking more while holding some could wait in a circle
      if (more) return { change, release: () => (more(), release()) }
      names = [...new Set([...names, ...change.locks])]
    } catch (error) {
      release()
      throw error
    }
    release()
  }
  throw new Error(
    `A change named other locks at each of ${mostDecisions} decisions, last ${names.slice(-3).join(', ')}`,
  )
}

interface Held {
  readonly locks: Locks
  readonly unsettled: Unsettled
}

/** Takes locks; a change that could not be settled keeps its own until the store takes its end. */
async function acquireSettled(
  { locks, unsettled }: Held,
  names: readonly string[],
  signal: AbortSignal,
): Promise<() => void> {
  while (true) {
    const release = await locks.acquire(names, signal)
    if (!unsettled.holds(names)) return release
    release()
    await unsettled.settle(names)
  }
}

async function takeFresh(
  held: Held,
  names: readonly string[],
  mark: number,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const release = await acquireSettled(held, names, signal)
  if (!held.locks.changedSince(names, mark)) return release
  release()
  return undefined
}

/** A change that is being carried out, and what it is carried out with. */
export interface Carrying<Reply> {
  readonly store: Store
  readonly log: Log
  readonly unsettled: Unsettled
  readonly onPoint: (point: string) => void
  readonly order: Order<Reply>
  readonly change: Change<Reply>
}

async function carryOut<Reply>(carrying: Carrying<Reply>): Promise<Outcome<Reply>> {
  const { store, order, change, onPoint } = carrying
  const changeId = store.nextId('changes')
  const intent = intentRow({ id: changeId, change, order, work: packWork(store, workOf(change)) })
  const startedAt = performance.now()
  if (change.steps.length > 0)
    await store.transaction((tx) => store.write(tx, [{ write: 'insert', table: 'changes', values: intent }]))
  onPoint('intended')
  const acted = await act(carrying, changeId, startedAt)
  onPoint('acted')
  const reply = await settleOrGiveUp(carrying, { ...acted, changeId, intent, startedAt })
  onPoint('settled')
  return { changeId, reply, isRepeat: false }
}

interface Acted {
  readonly results: readonly unknown[]
  readonly work: Work
}

interface Ending extends Acted {
  readonly changeId: number
  readonly intent: ReturnType<typeof intentRow>
  readonly startedAt: number
}

async function settleOrGiveUp<Reply>(
  carrying: Carrying<Reply>,
  { changeId, intent, results, work, startedAt }: Ending,
): Promise<Reply> {
  const { store, order, change } = carrying
  try {
    return await settleDone({
      store,
      order,
      change,
      changeId,
      intent,
      results,
      durationMs: performance.now() - startedAt,
    })
  } catch (error) {
    await giveUp(carrying, { changeId, startedAt, error, work })
    throw error
  }
}

async function act(carrying: Carrying<unknown>, changeId: number, startedAt: number): Promise<Acted> {
  const { store, change, order, onPoint } = carrying
  const results: unknown[] = []
  let work = workOf(change)
  for (const [index, { kind, args, live }] of change.steps.entries()) {
    try {
      order.signal.throwIfAborted()
      const before = await kind.observe(args)
      work = markActing(work, index, before)
      const packed = packWork(store, work)
      await store.transaction((tx) =>
        tx.updateTable('changes').set({ work: packed }).where('id', '=', changeId).execute(),
      )
      onPoint(`before:${index}`)
      results.push(await kind.act(args, { before, signal: order.signal, live }))
      onPoint(`after:${index}`)
    } catch (error) {
      const outcome = await giveUp(carrying, { changeId, startedAt, error, work })
      throw outcome === 'restored' ? await sayRestored(error, change.steps.slice(0, index + 1)) : error
    }
  }
  return { results, work }
}
