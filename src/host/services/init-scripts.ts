import { processStart } from '../proc.ts'
import type { Files } from '../files.ts'
import type { Run } from '../run.ts'
import type { ServiceDriver, ServiceStatus } from './driver.ts'

const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Services as init scripts run them, if systemd is not PID 1: mostly in containers. */
export function initScripts(run: Run, files: Files): ServiceDriver {
  const describe = async (name: string): Promise<ServiceStatus | undefined> => {
    const script = await files.read(`/etc/init.d/${name}`)
    if (script === undefined) return undefined
    const isActive = (await run(['service', name, 'status'], limits)).code === 0
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
    list: async () => {
      const found: ServiceStatus[] = []
      for (const name of await files.list('/etc/init.d')) {
        const status = name === 'README' ? undefined : await describe(name)
        if (status !== undefined) found.push(status)
      }
      return found
    },
    status: describe,
    startedAt: (name) => startedAt(files, name),
    command: (name, verb) =>
      verb === 'enable' || verb === 'disable' ? ['update-rc.d', name, verb] : ['service', name, verb],
    // an init script leaves no trace of who stopped it: services that the panel needs are started
    isStoppedOnPurpose: async () => false,
    reloadUnits: async () => {},
  }
}

/** Init scripts name their process in a pid file, which may be stale. */
async function startedAt(files: Files, name: string): Promise<number | undefined> {
  for (const path of [`/run/${name}.pid`, `/run/${name}/${name}.pid`]) {
    const pid = Number((await files.read(path))?.trim())
    if (Number.isInteger(pid) && pid > 1) return processStart(pid)
  }
  return undefined
}
