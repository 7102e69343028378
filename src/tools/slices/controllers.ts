import { keysOf } from '../../core/tool.ts'
import type { Files } from '../../host/files.ts'

/** The controllers of the kernel (cgroups(7)), by what they limit. */
export const controllers = { cpu: 'CPU', memory: 'memory', pids: 'tasks' } as const

/** Returns the controllers that systemd cannot use on this host. */
export async function missingControllers(files: Pick<Files, 'read' | 'facts'>) {
  const unified = await files.read('/sys/fs/cgroup/cgroup.controllers')
  const names = keysOf(controllers)
  if (unified !== undefined) {
    const found = new Set(unified.trim().split(/\s+/))
    return names.filter((name) => !found.has(name))
  }
  const isMounted = await Promise.all(
    names.map(async (name) => (await files.facts(`/sys/fs/cgroup/${name}`)) !== undefined),
  )
  return names.filter((_, at) => !isMounted[at])
}
