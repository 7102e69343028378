import { type PortProcess, processOnPort } from '../../host/port-process.ts'
import type { HaproxyProgram } from './program.ts'
import { portsOf } from './socket-ports.ts'
import { findListenError } from './socket.ts'

/** A process that listens on a port, and another port that nothing listens on. */
export interface PortHolder {
  /** Null if the panel may not read which process it is. */
  readonly process: PortProcess | null
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
  return { process: await processOnPort(port), freePort: await findFreePort(address, port, configured) }
}

async function findFreePort(address: string, port: number, configured: ReadonlySet<number>) {
  const first = usual[port] ?? port + 1
  for (let tried = first; tried < first + mostTried && tried <= 65_535; tried++)
    if (!configured.has(tried) && (await findListenError(address, tried)) === undefined) return tried
  return null
}
