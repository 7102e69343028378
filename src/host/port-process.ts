import { readdir, readFile, readlink } from 'node:fs/promises'
import { absentAsEmpty, isAbsent } from './proc.ts'

export interface PortProcess {
  readonly pid: number
  /** As the kernel has it, at most 15 characters. */
  readonly name: string
}

const mostProcesses = 10_000

/** The process that listens on a TCP port; null if none does, or the panel may not read which it is. */
export async function processOnPort(port: number): Promise<PortProcess | null> {
  const tables = ['tcp', 'tcp6'].map((table) => absentAsEmpty(readFile(`/proc/net/${table}`, 'utf8')))
  const sockets = new Set((await Promise.all(tables)).flatMap((table) => socketsIn(table, port)))
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids.slice(0, mostProcesses))
    if (await hasOneOf(pid, sockets)) {
      const name = await absentAsEmpty(readFile(`/proc/${pid}/comm`, 'utf8'))
      return { pid: Number(pid), name: name.trim() }
    }
  return null
}

/** The listening sockets of `/proc/net/tcp` on a port, as the links of `/proc/PID/fd` name them (proc(5)). */
function socketsIn(table: string, port: number): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const isOnPort = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16) === port
    return state === '0A' && isOnPort ? [`socket:[${inode}]`] : []
  })
}

async function hasOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  try {
    for (const name of await readdir(`/proc/${pid}/fd`))
      if (sockets.has(await absentAsEmpty(readlink(`/proc/${pid}/fd/${name}`)))) return true
    return false
  } catch (error) {
    if (isAbsent(error)) return false // it ended, or belongs to another user
    throw error
  }
}
