import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { Host } from '../test/hosts/harness/index.ts'

/** A loopback port of this machine that is forwarded to a port of a host. */
export interface Door {
  readonly port: number
  close(): Promise<void>
}

/** Opens a loopback port, the preferred one if it is free, and forwards its connections to the host. */
export async function forward(host: Host, hostPort: number, wanted: number): Promise<Door> {
  const open = new Set<Socket>()
  const server = createServer((outer) => {
    open.add(outer)
    outer.once('close', () => open.delete(outer))
    outer.on('error', () => {}) // a browser that went away
    carry(host, hostPort, outer).catch(() => outer.destroy())
  })
  await listen(server, wanted).catch(() => listen(server, 0))
  const close = async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, close }
}

async function carry(host: Host, hostPort: number, outer: Socket): Promise<void> {
  const inner = await host.connect(hostPort)
  await Promise.all([pipeline(outer, inner), pipeline(inner, outer)])
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
