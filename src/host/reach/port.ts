import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { PinnedAddress } from '../fetch/index.ts'

export const transports = ['tcp', 'udp'] as const
export type Transport = (typeof transports)[number]

/** What a port answered. An open UDP port that sends nothing cannot be told from one that a firewall drops. */
export interface PortAnswer {
  readonly isOpen: boolean
  readonly message: string
  /** Milliseconds until the answer; undefined where there was none. */
  readonly afterMs: number | undefined
}

const tcpMs = 5000
const udpMs = 2000

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: nothing listens on the port',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'There is no route to the network of the host',
  EACCES: 'A firewall of this host refuses the connection',
  EPERM: 'A firewall of this host refuses the connection',
}

/** Connects to a port within a time limit, or sends it an empty datagram. */
export async function askPort(
  pinned: PinnedAddress,
  transport: Transport,
  limitMs = tcpMs,
): Promise<PortAnswer> {
  const startedAt = performance.now()
  try {
    const message = await (transport === 'tcp' ? askTcp(pinned, limitMs) : askUdp(pinned))
    return { isOpen: true, message, afterMs: performance.now() - startedAt }
  } catch (error) {
    return { isOpen: false, message: reasonOf(error, limitMs), afterMs: undefined }
  }
}

async function askTcp({ address, port, family }: PinnedAddress, limitMs: number): Promise<string> {
  const socket = connect({ host: address, port, family })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) })
    return 'The port is open'
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

/** A closed port is reported by ICMP, which the kernel hands to a connected socket (udp(7)). */
async function askUdp({ address, port, family }: PinnedAddress): Promise<string> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const until = { signal: AbortSignal.timeout(udpMs) }
  try {
    socket.connect(port, address)
    await once(socket, 'connect', until)
    socket.send('')
    await once(socket, 'message', until)
    return 'The port is open'
  } catch (error) {
    if (isTimeout(error)) return 'Nothing was answered: the port is open, or a firewall drops the packets'
    throw error
  } finally {
    socket.on('error', () => {}).close()
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

function reasonOf(error: unknown, limitMs: number): string {
  if (isTimeout(error)) return `Nothing answered within ${limitMs / 1000} s`
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return refusals[code] ?? `The port cannot be reached (${code})`
}
