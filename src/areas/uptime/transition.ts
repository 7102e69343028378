import type { Outcome } from './parts.ts'
import { defaultInterval } from './model.ts'
import type { MonitorRow, StateRow } from './store.ts'

/** A monitor is down after so many failed checks in a row (decision 4.21). */
const failuresUntilDown = 2
/** A first failure is confirmed by the next check after this time, if the interval is longer. */
const confirmMs = 30_000

/** The state of a monitor after a check, and what changed. */
export interface Transition {
  readonly next: StateRow
  /** True if the kind of state is another than before. */
  readonly isEvent: boolean
  readonly alert: 'down' | 'up' | undefined
}

/** Decides what the outcome of a check means for a monitor. */
export function transition(
  row: MonitorRow,
  before: StateRow | undefined,
  outcome: Outcome,
  now: Date,
): Transition {
  const { result, status, responseMs, error } = outcome
  const wasDown = before?.is_down === 1
  const fails = result === 'ok' ? 0 : (before?.fail_count ?? 0) + 1
  const isDown = result === 'failed' && (wasDown || fails >= failuresUntilDown)
  const state = isDown ? 'down' : result === 'error' ? 'error' : error === '' ? 'up' : 'warning'
  const at = now.toISOString()
  const hasRecovered = wasDown && result === 'ok'
  const isUnconfirmed = result === 'failed' && !isDown
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
  }
  const alert = isDown && !wasDown ? 'down' : hasRecovered ? 'up' : undefined
  return { next, isEvent: state !== before?.state, alert }
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
