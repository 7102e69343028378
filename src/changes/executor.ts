import type { AnyStepKind, Change } from '../core/change.ts'
import type { Provisional } from '../core/confirmation.ts'
import { withoutEffect } from '../core/deciding.ts'
import type { Log } from '../core/endpoint.ts'
import type { Problem } from '../core/problem.ts'
import { isStoreAway } from '../store/disk-failures.ts'
import type { Store } from '../store/store.ts'
import type { Actor } from './actor.ts'
import type { Carrier } from './carrier.ts'
import { carryOut, type Carrying } from './carry-out.ts'
import { decideLocked, refuseWithinStep } from './decide.ts'
import { endUndecided } from './give-up.ts'
import { earlierAnswer, type Idempotency, keyNames, type Keys, openKeys } from './idempotency.ts'
import { type Locks, openLocks } from './locks.ts'
import { describeChange, type DescribedChange } from './plan.ts'
import type { Programs } from './programs.ts'
import { assertProvisional } from './provisional/assert.ts'
import type { Clocks } from './provisional/clock.ts'
import { openProvisional } from './provisional/index.ts'
import { withoutClocks } from './provisional/without-clocks.ts'
import { recoverChanges, type Recovery } from './recover.ts'
import { openUnsettled, type Unsettled } from './unsettled.ts'
import { type StepKinds, workOf } from './work.ts'

/** A change to carry out: its decision, its caller and its key. */
export interface Order<Reply> {
  /** Pure: may be called again after waiting for a lock. */
  readonly decide: () => Promise<Change<Reply>>
  readonly actor: Actor
  readonly idempotency?: Idempotency
  /** True if the reply may be kept for a repeat with the same key; false if it contains a secret. */
  readonly keepsReply: boolean
  /** Ends waiting and deciding: the caller disconnected, or a reason of `actSignal`. */
  readonly signal: AbortSignal
  /** Ends acting: the time limit, a cancel, or the stop of the panel. */
  readonly actSignal: AbortSignal
  /** The job that carries it out; absent for the change of a request. */
  readonly carrier?: Carrier
}

/** The result of an order. */
export interface Outcome<Reply> {
  readonly changeId: number
  readonly reply: Reply
  /** The activity entry; absent for a repeat. */
  readonly activityId?: number
  /** True if it can be undone by the id of its entry. */
  readonly isUndoable?: boolean
  /** True if it is the reply to an earlier request with the same key. */
  readonly isRepeat: boolean
}

/** The only executor of changes: decide, record, act, settle; a failed step undoes those before it. */
export interface Executor {
  execute<Reply>(order: Order<Reply>): Promise<Outcome<Reply>>
  plan(decide: () => Promise<Change>): Promise<DescribedChange>
  /** Throws if the change could not be carried out after a restart. */
  assertStorable(change: Change): void
  readonly locks: Locks
  readonly keys: Keys
  readonly unsettled: Unsettled
  readonly provisional: Provisional
  /**
   * Settles the changes that a killed panel left unsettled, except those of jobs. Call it before the first
   * change.
   */
  recover(kinds: StepKinds): Promise<readonly Recovery[]>
  /** Waits for running changes and ends the retries of failed writes. Call it before the store is closed. */
  close(): Promise<void>
}

interface ExecutorOptions {
  readonly store: Store
  readonly log: Log
  /** True if a restarted panel finds this kind of step; no other may act. */
  readonly isRegistered?: (kind: AnyStepKind) => boolean
  /** True if a kind of job is long work, which is carried out as a change. */
  readonly isWork?: (kind: string) => boolean
  /** The programs of steps that outlived a killed panel. */
  readonly programs?: Programs
  /** Programs that undo provisional changes without the panel; without them there are none. */
  readonly clocks?: Clocks
  /** Called between the parts of a change; tests kill the process here. */
  readonly onPoint?: (point: string) => void
  /** The time between two attempts to store the end of a change. */
  readonly retryMs?: number
}

/** Opens the executor of one panel. */
// oxlint-disable-next-line max-lines-per-function -- binds parts, decides nothing
export function openExecutor({
  store,
  log,
  isRegistered = () => true,
  isWork = () => false,
  programs,
  clocks = withoutClocks,
  onPoint = () => {},
  retryMs,
}: ExecutorOptions): Executor {
  const locks = openLocks()
  const keys = openKeys()
  const unsettled = openUnsettled({ locks, log, ...(retryMs !== undefined && { retryMs }) })
  const parts = { store, log, unsettled, onPoint, isWork, ...(programs && { programs }) }
  const provisional = openProvisional({ ...parts, locks, clocks, programs })
  const underWay = new Set<Promise<unknown>>()
  const decideAndCarryOut = async <Reply>(order: Order<Reply>): Promise<Outcome<Reply>> => {
    const earlier = order.idempotency && (await earlierAnswer(store, order.actor, order.idempotency))
    if (earlier) return earlier as Outcome<Reply>
    const { change, release } = await decideOrEnd(order)
    if (change.provisional !== undefined) return provisional.carryOut({ ...parts, order, change }, release)
    try {
      if (change.refusal) return await carryOutRefusal({ ...parts, order, change }, change.refusal)
      return await carryOut({ ...parts, order, change })
    } finally {
      release()
    }
  }
  const decideRegistered =
    <Reply>(order: Order<Reply>) =>
    async () => {
      const change = await withoutEffect(order.decide)
      refuseUnregistered(change, isRegistered)
      assertProvisional(change, order)
      return change
    }
  /** A job's change that is refused at its turn ends there; for a request nothing is stored yet. */
  const decideOrEnd = async <Reply>(order: Order<Reply>) => {
    try {
      const decided = await decideLocked(
        { locks, unsettled, provisional },
        { ...order, decide: decideRegistered(order) },
      )
      onPoint('decided')
      return decided
    } catch (error) {
      // a job that could not be decided without the store waits for its turn again
      const isPostponed = isStoreAway(error) && !order.actSignal.aborted
      if (order.carrier && !isPostponed)
        await endUndecided(parts, { ...order, carrier: order.carrier }, error)
      throw error
    }
  }
  const execute = async <Reply>(order: Order<Reply>): Promise<Outcome<Reply>> => {
    refuseWithinStep()
    await unsettled.settle(keyNames(order))
    const release = order.idempotency && keys.claim(order.actor, order.idempotency)
    try {
      return await decideAndCarryOut(order)
    } finally {
      release?.()
    }
  }
  return {
    locks,
    keys,
    unsettled,
    provisional,
    plan: async (decide) => {
      const change = await withoutEffect(decide)
      if (change.refusal) throw change.refusal
      refuseUnregistered(change, isRegistered)
      assertProvisional(change)
      return describeChange(change)
    },
    assertStorable: (change) => {
      refuseUnregistered(change, isRegistered)
      assertProvisional(change, { carrier: true })
      workOf(change, true) // throws if a result is used before it exists
    },
    execute: (order) => {
      const outcome = execute(order)
      underWay.add(outcome)
      return outcome.finally(() => underWay.delete(outcome))
    },
    recover: async (kinds) => {
      await provisional.takeOver(kinds)
      return recoverChanges({ ...parts, ...(programs && { programs }) }, kinds)
    },
    close: async () => {
      await Promise.allSettled(underWay)
      await provisional.close()
      await unsettled.close()
    },
  }
}

/** A refusal is not kept for a repeat with the same key, which is decided anew, and other panels do not repeat it. */
async function carryOutRefusal(
  { order: { idempotency: _key, ...order }, ...carrying }: Carrying<unknown>,
  refusal: Problem,
): Promise<never> {
  const { entry } = order.actor
  await carryOut({ ...carrying, order: { ...order, actor: { entry } } })
  throw refusal
}

function refuseUnregistered({ steps }: Change, isRegistered: (kind: AnyStepKind) => boolean): void {
  const unknown = steps.find(({ kind }) => !isRegistered(kind))
  if (unknown !== undefined)
    throw new Error(
      `the step kind ${unknown.kind.name} is not registered: list it in the steps of its area or tool`,
    )
}
