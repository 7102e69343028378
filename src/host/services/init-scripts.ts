import { processStart } from '../proc.ts'
import type { Files } from '../files.ts'
import type { Run } from '../run.ts'
import type { ServiceDriver, ServiceStatus } from './driver.ts'

const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** The scripts with which sysvinit ends a host. */
const endingScripts = /^(halt|reboot|single|killprocs|sendsigs|umountfs|umountroot|umountnfs\.sh)$/

/** Services as init scripts run them, if systemd is not PID 1: mostly in containers. */
export function initScripts(run: Run, files: Files): ServiceDriver {
  const describe = async (name: string, isActive: boolean): Promise<ServiceStatus | undefined> => {
    const script = await files.read(`/etc/init.d/${name}`)
    if (script === undefined) return undefined
    const started = await files.list('/etc/rc2.d')
    return {
      name,
      description: /^# Short-Description:\s*(.+)$/m.exec(script)?.[1] ?? '',
      active: isActive,
      enabled: started.some((link) => link.replace(/^S\d\d/, '') === name),
      state: isActive ? 'running' : 'stopped',
      memory_bytes: null,
      started_at: null,
    }
  }
  return {
    detect: async () => {
      const { code } = await run(['service', '--version'], limits)
      if (code === 127)
        return {
          present: false,
          kind: 'none',
          version: null,
          healthy: false,
          reason: 'neither systemd nor init scripts run services here',
        }
      return { present: true, kind: 'init', version: null, healthy: true, reason: null }
    },
    list: () => listScripts(run, files, describe),
    status: async (name) =>
      (await files.facts(`/etc/init.d/${name}`)) === undefined
        ? undefined
        : describe(name, (await run(['service', name, 'status'], limits)).code === 0),
    startedAt: (name) => startedAt(files, name),
    command: (name, verb) =>
      verb === 'enable' || verb === 'disable' ? ['update-rc.d', name, verb] : ['service', name, verb],
    // init scripts know no dependencies once the host has started
    dependents: async () => ({ stopped: [], triggers: [] }),
    startEffects: async (name) => ({ endsHost: endingScripts.test(name), opensRoot: false, stopped: [] }),
    own: async () => 'hostreeve',
    // an init script leaves no trace of who stopped it: services that the panel needs are started
    isStoppedOnPurpose: async () => false,
    reloadUnits: async () => {},
  }
}

/** Lists the init scripts; one call tells which of them run. */
async function listScripts(
  run: Run,
  files: Files,
  describe: (name: string, isActive: boolean) => Promise<ServiceStatus | undefined>,
): Promise<readonly ServiceStatus[]> {
  const { stdout } = await run(['service', '--status-all'], { ...limits, timeoutMs: 60_000 })
  const running = new Set([...stdout.matchAll(/^\s*\[ \+ \]\s+(\S+)$/gm)].map(([, name]) => name))
  const found: ServiceStatus[] = []
  for (const name of await files.list('/etc/init.d')) {
    const status = name === 'README' ? undefined : await describe(name, running.has(name))
    if (status !== undefined) found.push(status)
  }
  return found
}

/** Init scripts name their process in a pid file, which may be stale. */
async function startedAt(files: Files, name: string): Promise<number | undefined> {
  for (const path of [`/run/${name}.pid`, `/run/${name}/${name}.pid`]) {
    const pid = Number((await files.read(path))?.trim())
    if (Number.isInteger(pid) && pid > 1) return processStart(pid)
  }
  return undefined
}
