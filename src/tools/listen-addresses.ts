import { processOnPort } from '../host/port-process.ts'
import { tryToListen } from './listen-socket.ts'

/** An address on which a program listens; every address of the host where none is named. */
export interface ListenAddress {
  readonly host?: string
  readonly port: number
}

/** A web server that rests takes the ports of the one that it replaces, and a running one has its own. */
const webServerProcesses: ReadonlySet<string> = new Set(['nginx', 'apache2'])

/** Returns why a web server could not listen on one of these addresses; undefined if it could. */
export async function findTaken(addresses: readonly ListenAddress[]): Promise<string | undefined> {
  const distinct = new Map(addresses.map((address) => [shown(address), address]))
  for (const [name, address] of distinct) {
    const code = await tryToListen(address)
    if (code === 'EADDRNOTAVAIL') return `it listens on ${name}, and this host does not have that address`
    const holder = code === 'EADDRINUSE' ? await processOnPort(address.port) : null
    if (holder !== null && !webServerProcesses.has(holder.name))
      return `it listens on ${name}, which ${holder.name} (process ${holder.pid}) has`
  }
  return undefined
}

const shown = ({ host, port }: ListenAddress): string => {
  if (host === undefined) return `port ${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
