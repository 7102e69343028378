import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { websites } from '../websites/index.ts'
import type { SystemInfo } from './model.ts'
import { killStep } from './processes.ts'
import { parseMemory, parseOsRelease } from './parse.ts'

/** The area bound to the host. */
export function openSystem({ host, settings, use }: Deps) {
  return {
    run: host.run,
    kill: killStep(host.run),
    rewriteAll: use(websites).websites.rewriteAll,
    info: async (): Promise<SystemInfo> => {
      const { machine } = host
      const [osRelease, memory, disks] = await Promise.all([
        machine.text('/etc/os-release'),
        machine.text('/proc/meminfo'),
        machine.disks(),
      ])
      return {
        ...machine.kernel(),
        os: parseOsRelease(osRelease),
        memory: parseMemory(memory),
        disks: [...disks],
        panel: { version: settings.version, ...machine.process() },
      }
    },
  }
}

export interface Context {
  readonly system: ReturnType<typeof openSystem>
}

export const { endpoint } = area.of<Context>()
