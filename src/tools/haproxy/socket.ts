import { connect, createServer } from 'node:net'

const answerTimeoutMs = 3000
const maxBytes = 32 * 1024 * 1024

/** The address on which a socket of HAProxy listens. */
export type SocketAddress = { readonly path: string } | { readonly host: string; readonly port: number }

/**
 * Sends one command to a socket of HAProxy. Returns undefined if nothing listens, and an empty text if a
 * listener does not answer, as while it is loading.
 */
export function ask(address: SocketAddress, command: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connect(address)
  const chunks: Buffer[] = []
  let size = 0
  socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('no answer')))
  socket.on('connect', () => socket.end(`${command}\n`))
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) socket.destroy(new Error('too much'))
    else chunks.push(chunk)
  })
  let isHeard = false
  socket.on('connect', () => {
    isHeard = true
  })
  socket.on('error', () => resolve(isHeard ? '' : undefined)) // a missing answer is a valid result here
  socket.on('close', (hadError) => resolve(hadError ? '' : Buffer.concat(chunks).toString('utf8')))
  return promise
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Address already in use',
  EADDRNOTAVAIL: 'Cannot assign requested address',
}

/**
 * Returns the system's error if HAProxy could not listen on an address: listens there for a moment, as
 * HAProxy would. Port 0 checks only the address.
 */
export function findListenError(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer((visitor) => visitor.destroy())
  server.on('error', (error: NodeJS.ErrnoException) => resolve(reasons[error.code ?? '']))
  server.listen({ host, port, reusePort: true, ipv6Only: true, exclusive: true }, () =>
    server.close(() => resolve(undefined)),
  )
  return promise
}
