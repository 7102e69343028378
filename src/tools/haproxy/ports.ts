import { openFiles } from '../../host/files.ts'
import { readBind } from './config/bind-line.ts'
import type { HaproxyParts } from './parts.ts'
import { portsOf } from './socket-ports.ts'
import { servesCurrentFile } from './serves.ts'
import { findListenError } from './socket.ts'

/**
 * Returns the address of a candidate configuration on which a running HAProxy could not listen; undefined if
 * there is none. A reload detects this too, but rejects all visitors during the two seconds in which it
 * retries.
 */
export async function findRefusedAddress(
  parts: Pick<HaproxyParts, 'host' | 'layout' | 'program'>,
  candidatePath: string,
): Promise<string | undefined> {
  const pids = await parts.program.running()
  if (pids.length === 0) return undefined
  const present = listenAddressesIn((await parts.host.files.read(parts.layout.configPath)) ?? '')
  const isLoaded = await servesCurrentFile(parts) // a manual edit may never have been loaded
  const ports = isLoaded ? undefined : await portsOf(pids)
  const held = ports ?? new Set(present.map(({ port }) => port))
  const served = new Set(isLoaded ? present.map(nameOf) : [])
  for (const candidate of listenAddressesIn((await openFiles().read(candidatePath)) ?? '')) {
    // on a port that HAProxy already uses it can listen again, provided that the address belongs to this host
    const why = served.has(nameOf(candidate))
      ? undefined
      : await findListenError(candidate.address, held.has(candidate.port) ? 0 : candidate.port)
    if (why !== undefined)
      return `Binding [${candidatePath}:${candidate.line}] : cannot bind socket (${why}) for [${nameOf(candidate)}]`
  }
  return undefined
}

interface ListenAddress {
  readonly line: number
  readonly address: string
  readonly port: number
}

const nameOf = ({ address, port }: ListenAddress) => `${address}:${port}`

/**
 * The plain addresses of bind lines; only HAProxy can judge sockets, ranges and addresses that the kernel
 * treats specially.
 */
function listenAddressesIn(text: string): readonly ListenAddress[] {
  return text.split('\n').flatMap((line, index): ListenAddress[] => {
    if (!/^[ \t]*bind[ \t]/.test(line) || /[ \t](?:namespace|interface|transparent)(?:\s|$)/.test(line))
      return []
    const { address, port } = readBind(line) ?? { address: '', port: null }
    const numeric = address === '*' ? '0.0.0.0' : address
    return port === null || !/^[0-9.]+$|^[0-9a-f.]*:[0-9a-f:.]*$/i.test(numeric)
      ? []
      : [{ line: index + 1, address: numeric, port }]
  })
}
