import type { Provisional } from '../../core/confirmation.ts'
import { type Lock, storedLocks } from '../../core/lock.ts'
import { NotFound } from '../../core/problem.ts'
import { type Carrying, carryOut } from '../carry-out.ts'
import type { Outcome } from '../executor.ts'
import { type Locks, openHolders } from '../locks.ts'
import type { Programs } from '../programs.ts'
import { kindsOf, type StepKinds } from '../work.ts'
import { changeClock, clockName } from './clock.ts'
import type { EndParts } from './end.ts'
import { endStep } from './step.ts'
import { takeOverProvisional } from './take-over.ts'
import { WaitingChanges } from './waiting.ts'

/** Provisional changes as the executor carries them out. */
interface ProvisionalChanges extends Provisional {
  /** The change that holds one of the names until it is confirmed or undone. */
  holderOf(names: readonly string[]): number | undefined
  /** The locks are released when the change has ended. */
  carryOut<Reply>(carrying: Carrying<Reply>, release: () => void): Promise<Outcome<Reply>>
  /** Takes over the changes that a killed or stopped panel left. */
  takeOver(kinds: StepKinds): Promise<void>
  close(): Promise<void>
}

/** The parts that provisional changes use. */
export interface ProvisionalParts extends EndParts {
  readonly locks: Locks
  readonly programs: Programs | undefined
  readonly onPoint: (point: string) => void
}

/** Opens the provisional changes of one executor. */
export function openProvisional(parts: ProvisionalParts): ProvisionalChanges {
  const { store } = parts
  const waiting = new WaitingChanges(parts)
  const holders = openHolders()
  const releaseOf = (changeId: number, names: readonly string[], release: () => void) => {
    const leave = holders.add(names, changeId)
    return () => {
      leave()
      release()
    }
  }
  return {
    load: (changeId, lock) => load(parts, changeId, lock),
    assertAwaits: (changeId, connectedAt) => waiting.assertAwaits(changeId, connectedAt),
    endStep: endStep({
      end: (changeId, by) => waiting.end(changeId, by),
      isEnded: (changeId) => isEnded(parts, changeId),
    }),
    holderOf: holders.of,
    carryOut: async (carrying, unlock) => {
      const changeId = store.nextId('changes')
      const release = releaseOf(changeId, carrying.change.locks, unlock)
      return carryOutUntil({ ...parts, waiting, changeId, release }, carrying)
    },
    takeOver: (kinds) => takeOverProvisional({ ...parts, waiting, releaseOf }, kinds),
    close: () => waiting.close(),
  }
}

interface Beginning extends ProvisionalParts {
  readonly waiting: WaitingChanges
  readonly changeId: number
  readonly release: () => void
}

async function carryOutUntil<Reply>(
  { clocks, waiting, changeId, release, onPoint }: Beginning,
  carrying: Carrying<Reply>,
): Promise<Outcome<Reply>> {
  const { provisional = 0 } = carrying.change
  const clock = changeClock(clocks, changeId, provisional)
  try {
    await clock.start()
    onPoint('armed')
    const outcome = await carryOut({ ...carrying, clock })
    const kinds = kindsOf(carrying.change)
    const deadline = new Date(clock.confirmUntil)
    waiting.add({ changeId, deadline, kinds, actedAt: performance.now(), release })
    return outcome
  } catch (error) {
    await clock.silence() // a change that could not be stored has a clock already
    await clocks.remove(clockName(changeId))
    release()
    throw error
  }
}

async function load({ store }: ProvisionalParts, changeId: number, lock: Lock) {
  const row = await store.db
    .selectFrom('changes')
    .select(['id', 'summary', 'locks', 'confirm_until'])
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (row === undefined || row.confirm_until === null || !storedLocks(row.locks).includes(lock))
    throw NotFound(`id: no change ${changeId} is to be confirmed here`)
  return row
}

/** Its clock tells it before the store does. */
async function isEnded({ store, clocks }: ProvisionalParts, changeId: number): Promise<boolean> {
  const row = await store.db
    .selectFrom('changes')
    .select('state')
    .where('id', '=', changeId)
    .executeTakeFirst()
  return (
    row?.state === 'settled' || /confirmed|cancelled/.test((await clocks.state(clockName(changeId))) ?? '')
  )
}
