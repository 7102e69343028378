import { globSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { processesBelow } from '../harness/cgroup.ts'
import type { Host } from '../harness/index.ts'

/** The limits of a slice, in force. */
export interface SliceInForce {
  /** How often a process was refused since. */
  refusedProcesses(): Promise<number>
  /** How often the kernel has killed a process of the slice for its memory. */
  killedForMemory(): Promise<number>
  /** Removes what the test added; once the host is removed. */
  close(): Promise<void>
}

const hierarchies = '/sys/fs/cgroup'

/**
 * Puts the limits in force that systemd has for a slice on a host. Where this machine has the controllers of version 2, they are.
 * Where it has them in version 1 alone, which systemd within a host does not use, the processes of the slice and their
 * descendants are limited here as systemd says.
 */
export async function enforceSlice(host: Host, uid: string, folderOfHost: string): Promise<SliceInForce> {
  const [found] = globSync(`${hierarchies}/**/${folderOfHost}*/**/user-${uid}.slice`)
  if (found === undefined) throw new Error(`user-${uid}.slice has no control group: nothing runs in it`)
  const eventsOf = async (path: string, name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await readFile(path, 'utf8'))?.[1] ?? 0)
  const isVersion2 = (await readFile(`${found}/cgroup.controllers`, 'utf8')).includes('pids')
  if (isVersion2)
    return {
      refusedProcesses: () => eventsOf(`${found}/pids.events`, 'max'),
      killedForMemory: () => eventsOf(`${found}/memory.events`, 'oom_kill'),
      close: async () => {},
    }
  const name = `hostreeve-limits-${process.pid}`
  const [pids, memory] = [`${hierarchies}/pids/${name}`, `${hierarchies}/memory/${name}`]
  await mkdir(pids)
  await mkdir(memory)
  await writeFile(`${pids}/pids.max`, await limitOf(host, uid, 'TasksMax'))
  await writeFile(`${memory}/memory.limit_in_bytes`, await limitOf(host, uid, 'MemoryMax'))
  for (const pid of await processesBelow(found))
    for (const folder of [pids, memory]) await writeFile(`${folder}/cgroup.procs`, String(pid))
  return {
    refusedProcesses: () => eventsOf(`${pids}/pids.events`, 'max'),
    killedForMemory: () => eventsOf(`${memory}/memory.oom_control`, 'oom_kill'),
    close: async () => {
      for (const folder of [pids, memory]) await rmdir(folder)
    },
  }
}

async function limitOf(host: Host, uid: string, property: string): Promise<string> {
  const argv = ['systemctl', 'show', '--value', '-p', property, `user-${uid}.slice`] as const
  const value = (await host.must([...argv])).stdout.trim()
  if (!/^\d+$/.test(value)) throw new Error(`user-${uid}.slice has no ${property}: ${value}`)
  return value
}
