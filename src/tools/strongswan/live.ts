import { TunnelRefused } from './problems.ts'
import { type CharonHost, isCharonRunning, swanctl } from './swanctl.ts'

/** A connection of the running strongSwan. */
export interface Connection {
  /** True if packets pass. */
  readonly isUp: boolean
  readonly receivedBytes: number
  readonly sentBytes: number
}

/** Reads the connections of the panel's tunnels by their ids; none while strongSwan does not run. */
export async function readConnections(host: CharonHost): Promise<ReadonlyMap<number, Connection>> {
  if (!(await isCharonRunning(host))) return new Map()
  const { code, stdout, stderr } = await swanctl(host, '--list-sas', '--raw')
  if (code !== 0) throw TunnelRefused(`swanctl: ${stderr.trim().slice(0, 2000)}`)
  return parseConnections(stdout)
}

/** Parses what `swanctl --list-sas --raw` prints: one line for each connection, of which a tunnel may have several for a moment. */
export function parseConnections(text: string): ReadonlyMap<number, Connection> {
  const found = new Map<number, Connection>()
  for (const line of text.split('\n')) {
    const id = Number(/^list-sa event \{hostreeve-(\d+) \{/.exec(line)?.[1])
    if (!Number.isInteger(id)) continue
    const former = found.get(id) ?? { isUp: false, receivedBytes: 0, sentBytes: 0 }
    const next = connectionIn(line)
    found.set(id, {
      isUp: former.isUp || next.isUp,
      receivedBytes: former.receivedBytes + next.receivedBytes,
      sentBytes: former.sentBytes + next.sentBytes,
    })
  }
  return found
}

/** The identities come before the children, and may contain anything: only what follows them is looked at. */
function connectionIn(line: string): Connection {
  const children = line.slice(line.lastIndexOf('child-sas {'))
  const sum = (name: string) =>
    [...children.matchAll(new RegExp(`\\b${name}=(\\d+)`, 'g'))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    )
  return {
    isUp: /\bstate=(?:INSTALLED|REKEYING|REKEYED)\b/.test(children),
    receivedBytes: sum('bytes-in'),
    sentBytes: sum('bytes-out'),
  }
}
