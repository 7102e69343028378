import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { isPluginEnabled } from '../plugins/index.ts'
import { targetFault } from './check.ts'
import type { Monitoring } from './context.ts'
import {
  defaultInterval,
  defaultTimeout,
  type Monitor,
  type MonitorDraft,
  type MonitorEdit,
} from './model.ts'
import type { Statistics, UptimeStatus } from './model.ts'
import { MonitorInvalid, MonitorNotFound, PluginMissing } from './problems.ts'
import { type MonitorRow, monitors, type StateRow, states } from './store.ts'

const monitorLock = lock('uptime_monitor')
const dayMs = 86_400_000

type Now = Pick<Deciding, 'now'>
type Told = Change<{ message: string }>

/** Lists the monitors with what their last checks found; empty while the plugin is disabled. */
export async function listMonitors({ queries, plugins }: Monitoring): Promise<{ monitors: Monitor[] }> {
  if (!isPluginEnabled(plugins, 'uptime')) return { monitors: [] }
  const found = new Map((await queries.states()).map((state) => [state.monitor_id, state]))
  return { monitors: (await queries.all()).map((row) => showMonitor(row, found.get(row.id))) }
}

/** Counts the enabled monitors by state. */
export async function readStatus(on: Monitoring): Promise<UptimeStatus> {
  if (!isPluginEnabled(on.plugins, 'uptime')) return { installed: false }
  const enabled = (await listMonitors(on)).monitors.filter((each) => each.is_enabled)
  const running = enabled.filter((each) => !each.is_down)
  return {
    installed: true,
    running: on.checker.isRunning(),
    total: enabled.length,
    up: running.filter((each) => each.last_error === '').length,
    down: enabled.length - running.length,
    warning: running.filter((each) => each.last_error !== '').length,
  }
}

/** Adds a monitor, which is checked within a second. */
export async function createMonitor(
  on: Monitoring,
  draft: MonitorDraft,
  { id, now }: Now & Pick<Deciding, 'id'>,
): Promise<Change<{ id: number; message: string }>> {
  assertEnabled(on)
  assertValid(draft)
  const row = monitors.row({
    ...draft,
    check_interval: draft.check_interval === 0 ? defaultInterval : draft.check_interval,
    timeout: draft.timeout === 0 ? defaultTimeout : draft.timeout,
    id: id(monitors.name),
    is_enabled: true,
    created_at: now.toISOString(),
  })
  return change({
    summary: `Monitor ${row.name}`,
    rows: [monitors.insert(row)],
    reply: { id: row.id, message: 'Monitor created' },
  })
}

/** Writes the given fields of a monitor, which is checked within a second. */
export async function editMonitor(on: Monitoring, id: number, set: MonitorEdit, request: Now): Promise<Told> {
  assertEnabled(on)
  const row = await loadMonitor(on, id)
  const next = monitors.changed(row, set)
  assertValid(monitors.show(next))
  return change({
    summary: `Change the monitor ${row.name}`,
    locks: [monitorLock(String(id))],
    rows: [monitors.update(row, set), ...(await checkSoon(on, id, request))],
    reply: { message: 'Monitor updated' },
  })
}

/** Deletes a monitor with its history; an unknown one is deleted already. */
export async function deleteMonitor(on: Monitoring, id: number): Promise<Told> {
  assertEnabled(on)
  const row = await on.queries.find(id)
  return change({
    summary: row === undefined ? `Monitor ${id} does not exist` : `Delete the monitor ${row.name}`,
    locks: [monitorLock(String(id))],
    rows: row === undefined ? [] : [monitors.delete({ id })],
    reply: { message: 'Monitor deleted' },
  })
}

/** Disables an enabled monitor, or the reverse; an unknown one stays as it is. */
export async function toggleMonitor(on: Monitoring, id: number, request: Now): Promise<Told> {
  assertEnabled(on)
  const row = await on.queries.find(id)
  const isEnabled = row?.is_enabled === 1
  return change({
    summary:
      row === undefined
        ? `Monitor ${id} does not exist`
        : `${isEnabled ? 'Disable' : 'Enable'} the monitor ${row.name}`,
    locks: [monitorLock(String(id))],
    rows:
      row === undefined
        ? []
        : [monitors.update(row, { is_enabled: !isEnabled }), ...(await checkSoon(on, id, request))],
    reply: { message: 'Monitor toggled' },
  })
}

/** Begins a check of a monitor, whether it is enabled or not. */
export async function triggerCheck(on: Monitoring, id: number): Promise<{ message: string }> {
  assertEnabled(on)
  on.checker.trigger(await loadMonitor(on, id))
  return { message: 'Check triggered' }
}

/** Returns the changes of state of a monitor and its alerts, the newest first. */
export async function listHistory(on: Monitoring, id: number, limit: number) {
  assertEnabled(on)
  const rows = await on.queries.history(id, limit)
  return { history: rows.map(({ monitor_id: _id, ...row }) => row) }
}

/** Returns availability and response times of the last 24 hours. */
export async function readStatistics(on: Monitoring, id: number, { now }: Now): Promise<Statistics> {
  assertEnabled(on)
  await loadMonitor(on, id)
  const found = await on.queries.samplesSince(id, new Date(now.getTime() - dayMs).toISOString())
  const times = found.flatMap((sample) => (sample.is_ok === 1 ? [sample.response_time] : []))
  const percentile = (part: number) => times[Math.max(0, Math.ceil(times.length * part) - 1)] ?? 0
  return {
    checks: found.length,
    failed: found.length - times.length,
    availability: found.length === 0 ? 100 : (times.length / found.length) * 100,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  }
}

function assertEnabled({ plugins }: Monitoring): void {
  if (!isPluginEnabled(plugins, 'uptime')) throw PluginMissing()
}

async function loadMonitor({ queries }: Monitoring, id: number): Promise<MonitorRow> {
  const row = await queries.find(id)
  if (row === undefined) throw MonitorNotFound()
  return row
}

/** The write that makes a monitor due; none for one that was never checked, which is due already. */
async function checkSoon({ queries }: Monitoring, monitor_id: number, { now }: Now) {
  const state = await queries.stateOf(monitor_id)
  return state === undefined ? [] : [states.updateWhere({ monitor_id }, { next_check: now.toISOString() })]
}

const methods: ReadonlySet<string> = new Set(['', 'GET', 'HEAD', 'POST', 'OPTIONS'])
const shortestInterval = 10

function assertValid(monitor: MonitorDraft): void {
  const { type, target, http_method: method, http_override_ip: override } = monitor
  const { check_interval: interval, alert_email: email, alert_webhook: webhook } = monitor
  const fault = targetFault(type, target)
  if (fault !== undefined) throw MonitorInvalid(`target: must be ${fault}`)
  if (!methods.has(method)) throw MonitorInvalid('http_method: must be one of GET, HEAD, POST, OPTIONS')
  if (override !== '' && !isAddress(override))
    throw MonitorInvalid('http_override_ip: must be an IP address, or empty')
  if (interval > 0 && interval < shortestInterval)
    throw MonitorInvalid(`check_interval: must be 0 for ${defaultInterval}, or from 10 to 86400 seconds`)
  if (email !== '' && !/^[!#-;=?A-~]{1,64}@[!#-;=?A-~]{1,189}$/.test(email))
    throw MonitorInvalid('alert_email: must be an e-mail address, or empty')
  if (webhook !== '' && targetFault('http', webhook) !== undefined)
    throw MonitorInvalid('alert_webhook: must be a URL such as https://example.com/hook, or empty')
  if (monitor.dns_failover)
    throw MonitorInvalid(
      'dns_failover: must be false: this host has no authoritative DNS whose records could be switched',
    )
}

function showMonitor(row: MonitorRow, state: StateRow | undefined): Monitor {
  const { revision: _revision, ...shown } = monitors.show(row)
  return {
    ...shown,
    is_down: state?.is_down === 1,
    last_check: state?.last_check ?? null,
    last_status: state?.last_status ?? 0,
    last_response_time: state?.last_response_time ?? 0,
    last_error: state?.last_error ?? '',
    fail_count: state?.fail_count ?? 0,
    total_checks: state?.total_checks ?? 0,
  }
}
