import { ipv4Form } from '../core/ipv4-form.ts'
import { readFile } from 'node:fs/promises'
import { absentAsEmpty } from './proc.ts'

/** The ends of a TCP connection of this host, as the one who accepted it sees them. */
export interface LocalConnection {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/** The state of a connection that both sides keep open; the kernel gives those that were closed to root. */
const established = '01'

/**
 * Returns the uid of the account that opened a connection over loopback, by the kernel's table of sockets
 * (`/proc/net/tcp`, proc(5)); undefined for any other connection, and for one that is being closed.
 */
export async function peerUid(connection: LocalConnection): Promise<number | undefined> {
  const { remoteAddress, remotePort = 0, localAddress, localPort = 0 } = connection
  const [from, to] = [tableAddress(remoteAddress), tableAddress(localAddress)]
  if (from === undefined || to === undefined) return undefined
  const ends = [`${from}:${portIn(remotePort)}`, `${to}:${portIn(localPort)}`]
  for (const table of ['tcp', 'tcp6'])
    for (const line of (await absentAsEmpty(readFile(`/proc/net/${table}`, 'utf8'))).split('\n')) {
      const [, local = '', remote = '', state, , , , uid = ''] = line.trim().split(/\s+/)
      if (state !== established || !/^\d+$/.test(uid)) continue
      if (isEnd(local, ends[0]) && isEnd(remote, ends[1])) return Number(uid)
    }
  return undefined
}

/** The form of a loopback address in the tables: bytes of each 32 bits in the order of the processor (little-endian). */
function tableAddress(address: string | undefined): string | undefined {
  if (address === '::1') return '00000000000000000000000001000000'
  const bytes = /^(127)\.(\d+)\.(\d+)\.(\d+)$/.exec(ipv4Form(address ?? ''))?.slice(1)
  return bytes && Buffer.from(bytes.map(Number).toReversed()).toString('hex').toUpperCase()
}

const mapped = '0000000000000000FFFF0000'
const isEnd = (found: string, wanted: string | undefined): boolean =>
  found === wanted || found === `${mapped}${wanted}`
const portIn = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')
