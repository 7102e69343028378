import { createServer } from 'node:net'

interface Address {
  readonly host?: string
  readonly port: number
}

/** Listens on an address and ends that at once; returns the code of the failure. */
export function tryToListen({ host, port }: Address): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer((socket) => socket.destroy())
  server.once('error', (error) => resolve('code' in error ? String(error.code) : undefined))
  server.listen({ port, exclusive: true, ...(host !== undefined && { host, ipv6Only: true }) }, () => {
    server.close(() => resolve(undefined))
  })
  return promise
}
