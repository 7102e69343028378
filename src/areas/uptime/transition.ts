import type { Outcome } from './parts.ts'
import { type alertTypes, defaultInterval } from './model.ts'
import type { MonitorRow, StateRow } from './store.ts'

/** A monitor is down after so many failed checks in a row (decision 4.21). */
const failuresUntilDown = 2
/** A first failure is confirmed by the next check after this time, if the interval is longer. */
const confirmMs = 30_000

/** A monitor that goes down or up so often within the time is unstable, until it has stayed the same for a while. */
const swingsUntilUnstable = 4
const swingsWithinMs = 3_600_000
const calmMs = 30 * 60_000

/** The state of a monitor after a check, and what changed. */
export interface Transition {
  readonly next: StateRow
  /** True if the kind of state is another than before. */
  readonly isEvent: boolean
  readonly alert: (typeof alertTypes)[number] | undefined
}

interface At {
  readonly now: Date
  /** A monitor in maintenance does not go down. */
  readonly isMaintained?: boolean
}

/** Decides what the outcome of a check means for a monitor. */
export function transition(
  row: MonitorRow,
  before: StateRow | undefined,
  outcome: Outcome,
  { now, isMaintained = false }: At,
): Transition {
  const { result, status, responseMs, error } = outcome
  const wasDown = before?.is_down === 1
  const fails = result === 'ok' ? 0 : (before?.fail_count ?? 0) + (isMaintained ? 0 : 1)
  // a check that cannot be made says nothing: what is down stays so until a success
  const isDown = (wasDown && result !== 'ok') || (result === 'failed' && fails >= failuresUntilDown)
  const state = result === 'error' ? 'error' : isDown ? 'down' : error === '' ? 'up' : 'warning'
  const at = now.toISOString()
  const hasRecovered = wasDown && result === 'ok'
  const isUnconfirmed = result === 'failed' && !isDown && !isMaintained
  const hasTurned = (isDown && !wasDown) || hasRecovered
  const stability = stabilityOf(before, { hasTurned, now })
  const next: StateRow = {
    monitor_id: row.id,
    state,
    is_down: isDown ? 1 : 0,
    last_check: at,
    last_status: status,
    last_response_time: responseMs,
    last_error: error,
    fail_count: fails,
    total_checks: (before?.total_checks ?? 0) + 1,
    down_at: isDown && !wasDown ? at : (before?.down_at ?? null),
    recovered_at: hasRecovered ? at : (before?.recovered_at ?? null),
    next_check: nextCheck(row, now, isUnconfirmed).toISOString(),
    ...stability,
    is_switched: before?.is_switched ?? 0,
  }
  return { next, isEvent: state !== before?.state, alert: alertOf(before, next, hasTurned) }
}

function stabilityOf(
  before: StateRow | undefined,
  { hasTurned, now }: { readonly hasTurned: boolean; readonly now: Date },
): Pick<StateRow, 'swings' | 'is_unstable'> {
  const since = new Date(now.getTime() - swingsWithinMs).toISOString()
  const recent = (before?.swings ?? '').split(',').filter((time) => time > since)
  const swings = [...recent, ...(hasTurned ? [now.toISOString()] : [])].slice(-swingsUntilUnstable)
  const isCalm = (swings.at(-1) ?? '') < new Date(now.getTime() - calmMs).toISOString()
  if (before?.is_unstable === 1 && isCalm) return { swings: '', is_unstable: 0 }
  const isUnstable = before?.is_unstable === 1 || swings.length >= swingsUntilUnstable
  return { swings: swings.join(','), is_unstable: isUnstable ? 1 : 0 }
}

/** One that is stable again is told of once, whatever its state is now. */
function alertOf(before: StateRow | undefined, next: StateRow, hasTurned: boolean): Transition['alert'] {
  const wasUnstable = before?.is_unstable === 1
  if (next.is_unstable === 1) return wasUnstable ? undefined : 'unstable'
  return hasTurned || wasUnstable ? (next.is_down === 1 ? 'down' : 'up') : undefined
}

/** The interval of a monitor in milliseconds; 0 stands for the default. */
const intervalMs = ({ check_interval: seconds }: MonitorRow): number =>
  (seconds === 0 ? defaultInterval : seconds) * 1000

/**
 * The time of the next check: a slot of the interval that follows from the id, so that monitors that were
 * added together are spread evenly; at least half an interval away, and one and a half at most.
 */
function nextCheck(row: MonitorRow, now: Date, isUnconfirmed: boolean): Date {
  const everyMs = intervalMs(row)
  if (isUnconfirmed && everyMs > confirmMs) return new Date(now.getTime() + confirmMs)
  const phaseMs = Math.floor(((row.id * 0.618_033_988_749_895) % 1) * everyMs)
  const earliest = now.getTime() + everyMs / 2
  return new Date(Math.ceil((earliest - phaseMs) / everyMs) * everyMs + phaseMs)
}
