import { repeat } from '../../core/repeat.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { checkOnce } from './check.ts'
import { followState } from './failover.ts'
import { sendDue } from './alerting/outbox.ts'
import type { Uptime } from './parts.ts'
import { isPluginEnabled } from '../plugins/index.ts'
import { alerts } from './alerting/store.ts'
import { history, type MonitorRow, recordingQueries, type StateRow, states } from './store.ts'
import { samples } from './samples/store.ts'
import { transition } from './transition.ts'
import { inMaintenance, isMaintained } from './maintenance.ts'

const everyMs = 1000
/** Checks that run at the same time: a thousand targets that do not answer within 5 s are known to be down within a minute. */
const lanes = 128
/** Checks that wait for a lane: the rest stays due. */
const mostWaiting = 500

/** Runs checks, never two of one monitor at once. */
export interface Checker {
  /** Begins a check of a monitor unless one runs. */
  trigger(row: MonitorRow): void
  /** True while due monitors are checked. */
  isRunning(): boolean
  /** Checks due monitors until it is stopped. */
  start(): { stop(): Promise<void> }
}

/** Opens the checker; nothing is checked before it is started or triggered. */
export function openChecker(on: Uptime): Checker {
  const running = new Map<number, Promise<void>>()
  const free = new Semaphore(lanes)
  const stopping = new AbortController()
  let isStarted = false
  const trigger = (row: MonitorRow) => {
    if (running.has(row.id) || stopping.signal.aborted) return
    const ending = free
      .run(() => check(on, row.id, stopping.signal), { signal: stopping.signal })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          on.log.error({ err: error, monitor: row.id }, 'a monitor could not be checked')
      })
      .finally(() => running.delete(row.id))
    running.set(row.id, ending)
  }
  const checkDue = async () => {
    if (!isPluginEnabled(on.plugins, 'uptime')) return
    const now = new Date()
    const maintained = inMaintenance(await on.queries.windows(), now)
    if (maintained === 'all') return
    for (const row of await on.queries.due(now, mostWaiting, maintained)) trigger(row)
  }
  return {
    trigger,
    isRunning: () => isStarted && isPluginEnabled(on.plugins, 'uptime'),
    start: () => {
      isStarted = true
      const failed = (error: unknown) => on.log.error({ err: error }, 'due monitors could not be read')
      const rounds = repeat({ everyMs, work: checkDue, failed })
      const unsent = (error: unknown) => on.log.error({ err: error }, 'alerts of monitors could not be sent')
      const sending = repeat({ everyMs, work: (signal) => sendDue(on, signal), failed: unsent })
      return {
        stop: async () => {
          isStarted = false
          await Promise.all([rounds.stop(), sending.stop()])
          stopping.abort(new Error('the panel is stopping'))
          await Promise.all(running.values())
        },
      }
    },
  }
}

/** Checks a monitor as it is now, stores what was found, with the alert if there is one, and switches its DNS record. */
async function check(on: Uptime, monitorId: number, stopping: AbortSignal): Promise<void> {
  const row = await on.queries.find(monitorId)
  if (row === undefined) return
  const outcome = await checkOnce(on, row, stopping)
  const { store } = on
  const now = new Date()
  const maintained = await isMaintained(on, row.id, now)
  const changed = await store.transaction(async (tx) => {
    const stored = recordingQueries(tx)
    if (!(await stored.hasMonitor(row.id))) return undefined // it was deleted meanwhile
    const found = transition(row, await stored.state(row.id), outcome, {
      now,
      isMaintained: maintained,
    })
    const sample = {
      ...{ id: store.nextId(samples.name), monitor_id: row.id, is_ok: outcome.result === 'ok' },
      ...{ response_time: outcome.responseMs, created_at: now.toISOString() },
    }
    await store.write(tx, [
      states.delete({ monitor_id: row.id }),
      states.insert(found.next),
      ...(maintained ? [] : [samples.insert(samples.row(sample))]), // maintenance is no outage
      ...(found.isEvent ? [eventOf(on, row, found.next)] : []),
      ...(found.alert === undefined ? [] : [alertOf(on, found.next, found.alert)]),
    ])
    return found
  })
  if (changed !== undefined) await followState(on, row, changed.next)
}

const alertOf = ({ store }: Uptime, state: StateRow, event_type: 'down' | 'up' | 'unstable') =>
  alerts.insert(
    alerts.row({
      id: store.nextId(alerts.name),
      monitor_id: state.monitor_id,
      event_type,
      status: state.last_status,
      response_time: state.last_response_time,
      error: state.last_error,
      created_at: state.last_check,
    }),
  )

function eventOf({ store }: Uptime, { id }: MonitorRow, state: StateRow) {
  return history.insert({
    id: store.nextId(history.name),
    monitor_id: id,
    event_type: state.state,
    status: state.last_status,
    response_time: state.last_response_time,
    error: state.last_error,
    created_at: state.last_check,
  })
}
