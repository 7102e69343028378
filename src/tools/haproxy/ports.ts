import { openFiles } from '../../host/files.ts'
import { readBind } from './config/bind-line.ts'
import type { HaproxyParts } from './index.ts'
import { portsOf } from './socket-ports.ts'
import { servesWhatLies } from './serves.ts'
import { whyNotListened } from './socket.ts'

/**
 * Says at which place of a candidate a running HAProxy could not listen; undefined when it could at all. A reload finds that out too,
 * but keeps every visitor out for the two seconds in which it tries again.
 */
export async function placeRefused(
  parts: Pick<HaproxyParts, 'host' | 'layout' | 'program'>,
  candidatePath: string,
): Promise<string | undefined> {
  const pids = await parts.program.running()
  if (pids.length === 0) return undefined
  const present = placesIn((await parts.host.files.read(parts.layout.configPath)) ?? '')
  const isLoaded = await servesWhatLies(parts) // what somebody wrote by hand may never have been
  const ports = isLoaded ? undefined : await portsOf(pids)
  const held = ports ?? new Set(present.map(({ port }) => port))
  const served = new Set(isLoaded ? present.map(nameOf) : [])
  for (const place of placesIn((await openFiles().read(candidatePath)) ?? '')) {
    // at a port that HAProxy holds it may listen again, if the address is one of this host
    const why = served.has(nameOf(place))
      ? undefined
      : await whyNotListened(place.address, held.has(place.port) ? 0 : place.port)
    if (why !== undefined)
      return `Binding [${candidatePath}:${place.line}] : cannot bind socket (${why}) for [${nameOf(place)}]`
  }
  return undefined
}

interface Place {
  readonly line: number
  readonly address: string
  readonly port: number
}

const nameOf = ({ address, port }: Place) => `${address}:${port}`

/** The plain addresses that bind lines name; sockets, ranges and what the kernel treats in a way of its own are HAProxy's alone to judge. */
function placesIn(text: string): readonly Place[] {
  return text.split('\n').flatMap((line, index): Place[] => {
    if (!/^[ \t]*bind[ \t]/.test(line) || /[ \t](?:namespace|interface|transparent)(?:\s|$)/.test(line))
      return []
    const { address, port } = readBind(line) ?? { address: '', port: null }
    const numeric = address === '*' ? '0.0.0.0' : address
    return port === null || !/^[0-9.]+$|^[0-9a-f.]*:[0-9a-f:.]*$/i.test(numeric)
      ? []
      : [{ line: index + 1, address: numeric, port }]
  })
}
