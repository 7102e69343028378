import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { isMasked } from '../../core/secret.ts'
import { isAddress, isV4 } from '../../host/fetch/index.ts'
import { canonicalAddress } from '../../host/networks.ts'
import { Problem } from '../../core/problem.ts'
import { assertSwitchable } from '../authdns/index.ts'
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
import { recordOf } from './failover.ts'
import { availabilityOf, figuresOf } from './samples/figures.ts'
import type { Statistics, UptimeStatus } from './model.ts'
import { MonitorInvalid, MonitorNotFound, PluginMissing } from './problems.ts'
import { spansOf } from './statuses.ts'
import { type MonitorRow, monitors, type StateRow, states } from './store.ts'
import { inMaintenance } from './maintenance.ts'

const monitorLock = lock('uptime_monitor')
const dayMs = 86_400_000

type Now = Pick<Deciding, 'now'>
type Told = Change<{ message: string }>

/** Lists the monitors with what their last checks found; empty while the plugin is disabled. */
export async function listMonitors(on: Monitoring): Promise<{ monitors: Monitor[] }> {
  const { queries, plugins } = on
  if (!isPluginEnabled(plugins, 'uptime')) return { monitors: [] }
  const maintained = inMaintenance(await queries.windows(), new Date())
  const found = new Map((await queries.states()).map((state) => [state.monitor_id, state]))
  return { monitors: (await queries.all()).map((row) => showMonitor(on, row, found.get(row.id), maintained)) }
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
  { webhook_secret: secret, ...draft }: MonitorDraft,
  { id, now }: Now & Pick<Deciding, 'id'>,
): Promise<Change<{ id: number; message: string }>> {
  assertEnabled(on)
  await assertValid(on, draft)
  const row = monitors.row({
    ...draft,
    sealed_webhook_secret: sealed(on, secret),
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
export async function editMonitor(
  on: Monitoring,
  id: number,
  { webhook_secret: secret, ...given }: MonitorEdit,
  request: Now,
): Promise<Told> {
  assertEnabled(on)
  const row = await loadMonitor(on, id)
  const isKept = secret === undefined || isMasked(secret)
  const set = { ...given, ...(!isKept && { sealed_webhook_secret: sealed(on, secret) }) }
  await assertValid(on, monitors.show(monitors.changed(row, set)))
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
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const { checks, failed, p50, p95, p99 } = figuresOf(await on.queries.samplesOf(id, at(-dayMs), at(dayMs)))
  return { checks, failed, availability: availabilityOf({ checks, failed }), p50, p95, p99 }
}

export function assertEnabled({ plugins }: Monitoring): void {
  if (!isPluginEnabled(plugins, 'uptime')) throw PluginMissing()
}

export async function loadMonitor({ queries }: Monitoring, id: number): Promise<MonitorRow> {
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

const secretForm = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

/** Seals the key of signatures; empty for none. */
function sealed({ store }: Monitoring, secret: string): string {
  if (secret === '') return ''
  if (!secretForm.test(secret))
    throw MonitorInvalid('webhook_secret: must be whsec_ and 24 to 64 bytes in base64, or empty')
  return store.seal(secret)
}

async function assertValid(on: Monitoring, monitor: Omit<MonitorDraft, 'webhook_secret'>): Promise<void> {
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
  if (spansOf(monitor.http_statuses) === undefined)
    throw MonitorInvalid('http_statuses: must be statuses such as 200-299, 401, or empty')
  if (monitor.dns_failover) await assertFailover(on, monitor)
}

async function assertFailover(on: Monitoring, monitor: Omit<MonitorDraft, 'webhook_secret'>): Promise<void> {
  const { dns_zone: zone, dns_record_type: type, dns_up_ip: up, dns_down_ip: down } = monitor
  if (zone === '') throw MonitorInvalid('dns_zone: must be the zone of the record')
  if (!/^(a|aaaa)$/i.test(type)) throw MonitorInvalid('dns_record_type: must be A or AAAA')
  const isRight = (address: string) => isAddress(address) && isV4(address) === (type.toUpperCase() === 'A')
  const expected = `an ${type.toUpperCase() === 'A' ? 'IPv4' : 'IPv6'} address`
  if (!isRight(up)) throw MonitorInvalid(`dns_up_ip: must be ${expected}`)
  if (!isRight(down)) throw MonitorInvalid(`dns_down_ip: must be ${expected}`)
  if (canonicalAddress(up) === canonicalAddress(down))
    throw MonitorInvalid('dns_down_ip: must be another address than dns_up_ip')
  await assertSwitchable(on.dns, recordOf(monitor)).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw MonitorInvalid(fieldOf(error.message))
  })
}

/** The message of the DNS area with the field of the monitor. */
function fieldOf(message: string): string {
  const [, field, rest] = /^(zone|name): (.*)$/s.exec(message) ?? []
  if (field === undefined) return `dns_failover: ${message}`
  return field === 'zone' ? `dns_zone: ${rest}` : `dns_record_name: ${rest}`
}

function showMonitor(
  { store }: Monitoring,
  row: MonitorRow,
  state: StateRow | undefined,
  maintained: 'all' | ReadonlySet<number>,
): Monitor {
  const { sealed_webhook_secret: secret } = row
  const { revision: _revision, ...shown } = monitors.show(row)
  return {
    ...shown,
    webhook_secret: secret === '' ? '' : store.unseal(secret),
    is_down: state?.is_down === 1,
    last_check: state?.last_check ?? null,
    last_status: state?.last_status ?? 0,
    last_response_time: state?.last_response_time ?? 0,
    last_error: state?.last_error ?? '',
    fail_count: state?.fail_count ?? 0,
    total_checks: state?.total_checks ?? 0,
    is_unstable: state?.is_unstable === 1,
    in_maintenance: maintained === 'all' || maintained.has(row.id),
    dns_switched: state?.is_switched === 1,
  }
}
