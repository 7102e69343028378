import type { Change, Step } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import { Problem } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { appendActivity } from './activity.ts'
import { type Actor, intentRow } from './actor.ts'
import { earlierAnswer, type Idempotency, openKeys } from './idempotency.ts'
import { type Locks, openLocks } from './locks.ts'
import { describeChange, type ChangePlan } from './plan.ts'
import { settleDone } from './settle.ts'
import { undoSteps } from './undo.ts'
import { markActing, packWork, unpackWork, type Work, workOf } from './work.ts'

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
}

interface ExecutorOptions {
  readonly store: Store
  readonly log: Log
  /** Called between the parts of a change; tests kill the process here. */
  readonly onPoint?: (point: string) => void
}

/** Opens the executor of one panel. */
export function openExecutor({ store, log, onPoint = () => {} }: ExecutorOptions): Executor {
  const locks = openLocks()
  const keys = openKeys()
  const decideAndCarryOut = async <Reply>(order: Order<Reply>): Promise<Outcome<Reply>> => {
    const earlier = order.idempotency && (await earlierAnswer(store, order.actor, order.idempotency))
    if (earlier) return earlier as Outcome<Reply>
    const { change, release } = await decideLocked(locks, order)
    try {
      return await carryOut({ store, log, onPoint, order, change })
    } finally {
      release()
    }
  }
  return {
    plan: async (decide) => describeChange(await decide()),
    execute: async (order) => {
      const release = order.idempotency && keys.claim(order.actor, order.idempotency)
      try {
        return await decideAndCarryOut(order)
      } finally {
        release?.()
      }
    },
  }
}

const mostDecisions = 50

/** Decides, takes the locks that the decision names, and decides again when one of them was held by somebody meanwhile. */
async function decideLocked<Reply>(locks: Locks, { decide, signal }: Order<Reply>) {
  let names: readonly string[] = []
  for (let decisions = 0; decisions < mostDecisions; decisions++) {
    const release = await locks.acquire(names, signal)
    try {
      const mark = locks.now()
      const change = await decide()
      const missing = change.locks.filter((name) => !names.includes(name))
      if (missing.length === 0) return { change, release }
      const more = names.length === 0 ? await takeFresh(locks, missing, mark, signal) : undefined // taking more while holding some could wait in a circle
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

async function takeFresh(
  locks: Locks,
  names: readonly string[],
  mark: number,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const release = await locks.acquire(names, signal)
  if (!locks.changedSince(names, mark)) return release
  release()
  return undefined
}

interface Carrying<Reply> {
  readonly store: Store
  readonly log: Log
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
  const results = await act(carrying, changeId, startedAt)
  onPoint('acted')
  const reply = await settleOrGiveUp(carrying, { changeId, intent, results, startedAt })
  onPoint('settled')
  return { changeId, reply, isRepeat: false }
}

interface Acted {
  readonly changeId: number
  readonly intent: ReturnType<typeof intentRow>
  readonly results: readonly unknown[]
  readonly startedAt: number
}

async function settleOrGiveUp<Reply>(
  carrying: Carrying<Reply>,
  { changeId, intent, results, startedAt }: Acted,
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
    await giveUp(carrying, { changeId, startedAt, error })
    throw error
  }
}

async function act(
  carrying: Carrying<unknown>,
  changeId: number,
  startedAt: number,
): Promise<readonly unknown[]> {
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
  return results
}

interface Failure {
  readonly changeId: number
  readonly startedAt: number
  readonly error: unknown
  readonly work?: Work
}

/** Undoes the steps done, in reverse, and records how that ended. */
async function giveUp(
  { store, log, order, change }: Carrying<unknown>,
  failure: Failure,
): Promise<'failed' | 'restored'> {
  const isStored = change.steps.length > 0
  const work = failure.work ?? (isStored ? await storedWork(store, failure.changeId) : workOf(change))
  const kinds = new Map(change.steps.map(({ kind }) => [kind.name, kind]))
  const problems = await undoSteps(work, kinds)
  for (const problem of problems)
    log.error({ err: problem, changeId: failure.changeId }, 'undoing a step failed')
  const outcome = problems.length > 0 ? 'failed' : 'restored'
  const reason = failure.error instanceof Problem ? failure.error.message : 'internal error'
  const message = [reason, ...problems.map((problem) => `undo: ${problem.message}`)].join('; ').slice(0, 4000)
  const now = new Date().toISOString()
  await store.transaction(async (tx) => {
    await tx
      .updateTable('changes')
      .set({ state: 'settled', outcome, error: message, settled_at: now, idempotency_key: null })
      .where('id', '=', failure.changeId)
      .execute()
    const duration_ms = Math.round(performance.now() - failure.startedAt)
    const change_id = isStored ? failure.changeId : null
    await appendActivity(store, tx, {
      ...order.actor.entry,
      status: outcome,
      message,
      duration_ms,
      change_id,
      created_at: now,
    })
  })
  return outcome
}

/** Tells the caller that everything is as it was, where that is so: a step that cannot be undone may have done a part. */
async function sayRestored(error: unknown, acted: readonly Step[]): Promise<unknown> {
  if (!(error instanceof Problem) || error.fields['is_partial'] === true) return error
  const plans = await Promise.allSettled(acted.map(async ({ kind, args }) => kind.plan(args)))
  if (plans.some((plan) => plan.status === 'rejected' || plan.value.irreversible !== undefined)) return error // a plan that cannot be read promises nothing
  return error.kind(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} Nothing was changed.`, {
    cause: error.cause,
    fields: error.fields,
    status: error.status,
  })
}

async function storedWork(store: Store, changeId: number): Promise<Work> {
  const row = await store.db
    .selectFrom('changes')
    .select('work')
    .where('id', '=', changeId)
    .executeTakeFirstOrThrow()
  return unpackWork(store, row.work as string)
}
