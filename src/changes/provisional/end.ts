import type { Log } from '../../core/endpoint.ts'
import { storedLocks } from '../../core/lock.ts'
import type { Store } from '../../store/store.ts'
import { keyName } from '../idempotency.ts'
import { settle } from '../recover.ts'
import type { ChangeOutcome, ChangeRow } from '../tables.ts'
import { clockName, type Clocks } from './clock.ts'
import { undoSteps } from '../undo.ts'
import type { Unsettled } from '../unsettled.ts'
import { fillRest, type StepKinds, unpackWork } from '../work.ts'

/** The parts that end provisional changes. */
export interface EndParts {
  readonly store: Store
  readonly log: Log
  readonly isWork: (kind: string) => boolean
  readonly unsettled: Unsettled
  readonly clocks: Clocks
}

/** A change as it is stored, and the kinds of its steps. */
interface Ended {
  readonly row: ChangeRow
  readonly kinds: StepKinds
}

export interface Ending {
  readonly outcome: 'ok' | 'restored' | 'cancelled'
  readonly message: string
}

/**
 * Settles a change whose clock was won or has run out; one that was not confirmed is undone first. An end that
 * does not fit on a full disk is stored later, and the locks are held until then.
 */
export async function endProvisional(parts: EndParts, ended: Ended, ending: Ending): Promise<void> {
  const { row } = ended
  try {
    await end(parts, ended, ending)
  } catch (error) {
    parts.log.error({ err: error, changeId: row.id }, 'the end of a provisional change could not be stored')
    const key = row.idempotency_key === null ? [] : [keyName(row.user_id, row.idempotency_key)]
    const names = [...storedLocks(row.locks), ...key]
    parts.unsettled.add({ changeId: row.id, names, finish: () => end(parts, ended, ending), error })
  }
}

/** The clock is forgotten last: until the end is stored, it tells who was first. */
async function end(parts: EndParts, ended: Ended, ending: Ending): Promise<void> {
  const changeId = ended.row.id
  const settlement =
    ending.outcome === 'ok' ? completed(parts, ended, ending) : await undo(parts, ended, ending)
  await settle(parts, ended.row, settlement)
  parts.log.info({ changeId, outcome: settlement.outcome }, 'a provisional change has ended')
  await parts.clocks
    .remove(clockName(changeId))
    .catch((error) => parts.log.warn({ err: error, changeId }, 'a clock is removed at the next start'))
}

function completed({ store }: EndParts, { row, kinds }: Ended, ending: Ending) {
  const work = fillRest(unpackWork(store, row.work ?? ''))
  return { ...ending, message: row.summary, work, kinds }
}

/**
 * The clock may have undone the steps before: an undo is safe to repeat, and completes what the clock could
 * not.
 */
async function undo(
  { store, log }: EndParts,
  { row, kinds }: Ended,
  ending: Ending,
): Promise<{ readonly outcome: ChangeOutcome; readonly message: string }> {
  const { failures } = await undoSteps(unpackWork(store, row.work ?? ''), kinds, row.id)
  for (const error of failures) log.error({ err: error, changeId: row.id }, 'undoing a step failed')
  const outcome = failures.length > 0 ? 'failed' : ending.outcome
  const message = [ending.message, ...failures.map((error) => `undo: ${error.message}`)].join('; ')
  return { outcome, message: message.slice(0, 4000) }
}
