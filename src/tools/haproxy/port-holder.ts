import { readdir, readFile, readlink } from 'node:fs/promises'
import { absentAsEmpty, isAbsent } from '../../host/proc.ts'
import type { HaproxyProgram } from './program.ts'
import { portsOf } from './socket-ports.ts'
import { findListenError } from './socket.ts'

/** A process that listens on a port, and another port that nothing listens on. */
export interface PortHolder {
  /** Null if the panel may not read which process it is. */
  readonly process: { readonly pid: number; readonly name: string } | null
  /** Null if the ports that were tried are all in use. */
  readonly freePort: number | null
}

interface Wanted {
  /** A numeric address. */
  readonly address: string
  readonly port: number
  /** Ports of the configuration, which are not offered. */
  readonly configured: ReadonlySet<number>
}

const mostTried = 100
const mostProcesses = 10_000
const usual: Readonly<Record<number, number>> = { 80: 8080, 443: 8443 }

/**
 * Returns who listens on a port that a running HAProxy is to listen on; undefined if HAProxy itself or nobody
 * does.
 */
export async function findPortHolder(
  program: Pick<HaproxyProgram, 'running'>,
  { address, port, configured }: Wanted,
): Promise<PortHolder | undefined> {
  const pids = await program.running()
  if (pids.length === 0 || (await portsOf(pids))?.has(port)) return undefined
  if ((await findListenError(address, port)) !== 'Address already in use') return undefined
  return { process: await processOn(port), freePort: await findFreePort(address, port, configured) }
}

async function findFreePort(address: string, port: number, configured: ReadonlySet<number>) {
  const first = usual[port] ?? port + 1
  for (let tried = first; tried < first + mostTried && tried <= 65_535; tried++)
    if (!configured.has(tried) && (await findListenError(address, tried)) === undefined) return tried
  return null
}

async function processOn(port: number): Promise<PortHolder['process']> {
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
