import type { Files } from '../files.ts'
import type { Run } from '../run.ts'
import { dependentsOf } from './dependents.ts'
import type { ServiceDriver, ServiceStatus } from './driver.ts'
import { listUnits } from './list-units.ts'
import { startEffectsOf } from './start-effects.ts'
import { isActive, parseShow, type Unit } from './unit.ts'

const properties = [
  'Id',
  'Description',
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'MemoryCurrent',
  'ActiveEnterTimestamp',
  'Result',
  'InactiveEnterTimestamp',
]
/** In microseconds since boot: precise, unlike the times that systemctl prints. */
const startProperty = 'ExecMainStartTimestampMonotonic'
const limits = { timeoutMs: 15_000, maxBytes: 8 * 1024 * 1024, env: { TZ: 'UTC' } }

/** Services as systemd runs them. */
export function systemd(run: Run, files: Pick<Files, 'read' | 'list' | 'facts'>): ServiceDriver {
  const show = async (...names: readonly string[]) => {
    const { stdout } = await run(
      ['systemctl', 'show', `--property=${properties.join(',')}`, '--', ...names],
      limits,
    )
    return parseShow(stdout).filter(
      (unit) => unit['LoadState'] === 'loaded' || unit['LoadState'] === 'masked',
    )
  }
  return {
    detect: async () => {
      const { code, stdout } = await run(['systemctl', '--version'], limits)
      if (code === 127)
        return {
          present: false,
          kind: 'none',
          version: null,
          healthy: false,
          reason: 'systemctl is not installed',
        }
      return {
        present: true,
        kind: 'systemd',
        version: /^systemd (\S+)/.exec(stdout)?.[1] ?? null,
        healthy: code === 0,
        reason: null,
      }
    },
    list: async () => (await listUnits({ run, files }, (names) => show(...names))).map(statusOf),
    status: async (name) => (await show(unitOf(name))).map(statusOf)[0],
    startedAt: (name) => startedAt(run, name),
    command: (name, verb) => ['systemctl', '--no-ask-password', verb, '--', unitOf(name)],
    dependents: (name) => dependentsOf(run, unitOf(name)),
    startEffects: (name) => startEffectsOf(run, unitOf(name)),
    own: async () => ownUnit((await files.read('/proc/self/cgroup')) ?? ''),
    isStoppedOnPurpose: async (name) => {
      const unit = (await show(unitOf(name)))[0]
      if (unit === undefined || unit['ActiveState'] !== 'inactive') return false
      // enabled, and never stopped since boot: it has not been started yet
      return (
        /^(disabled|masked)/.test(unit['UnitFileState'] ?? '') ||
        (unit['InactiveEnterTimestamp'] !== '' && unit['Result'] === 'success')
      )
    },
    reloadUnits: async () => {
      await run(['systemctl', 'daemon-reload'], { timeoutMs: 60_000 })
    },
  }
}

async function startedAt(run: Run, name: string): Promise<number | undefined> {
  const { stdout } = await run(
    ['systemctl', 'show', `--property=ActiveState,${startProperty}`, '--', unitOf(name)],
    limits,
  )
  const unit = parseShow(stdout)[0] ?? {}
  const startedUs = Number(unit[startProperty])
  if (!isActive(unit) || !(startedUs > 0)) return undefined
  return Date.now() - Number(process.hrtime.bigint()) / 1e6 + startedUs / 1000
}

/** The unit of a process by its control groups (cgroups(7)), of either version. */
export function ownUnit(groups: string): string | undefined {
  return /^(?:0:|\d+:name=systemd):(?:\/[^/\n]+)*?\/([^/\n]+)\.service(?:\/|$)/m.exec(groups)?.[1]
}

function statusOf(unit: Unit): ServiceStatus {
  const active = isActive(unit)
  return {
    name: (unit['Id'] ?? '').replace(/\.service$/, ''),
    description: unit['Description'] ?? '',
    active,
    enabled: /^(enabled|alias|indirect|generated)/.test(unit['UnitFileState'] ?? ''),
    state: `${unit['ActiveState'] ?? 'unknown'} (${unit['SubState'] ?? 'unknown'})`,
    memory_bytes: /^\d{1,15}$/.test(unit['MemoryCurrent'] ?? '') ? Number(unit['MemoryCurrent']) : null,
    started_at: active ? timeOf(unit['ActiveEnterTimestamp'] ?? '') : null,
  }
}

/** `Sat 2026-11-21 05:12:13 UTC`, as systemctl prints it when TZ is UTC. */
function timeOf(text: string): string | null {
  const found = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/.exec(text)
  return found === null ? null : `${found[1]}T${found[2]}Z`
}

function unitOf(name: string): string {
  return /\.(service|socket|timer)$/.test(name) ? name : `${name}.service`
}
