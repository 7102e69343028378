import type { System } from './context.ts'
import type { SystemInfo } from './model.ts'
import { parseMemory, parseOsRelease } from './parse.ts'

/** Reads what this host is and how much of it is in use. */
export async function readInfo({ machine, version }: System): Promise<SystemInfo> {
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
    panel: { version, ...machine.process() },
  }
}
