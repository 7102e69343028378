import { connect, createServer } from 'node:net'

const answerTimeoutMs = 3000
const maxBytes = 32 * 1024 * 1024

/** Where a socket of HAProxy listens. */
export type SocketPlace = { readonly path: string } | { readonly host: string; readonly port: number }

/** Sends one command to a socket of HAProxy. Undefined when nobody listens, empty when somebody does and does not answer, as while it loads. */
export function ask(place: SocketPlace, command: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connect(place)
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
  socket.on('error', () => resolve(isHeard ? '' : undefined)) // no answer is an answer here
  socket.on('close', (hadError) => resolve(hadError ? '' : Buffer.concat(chunks).toString('utf8')))
  return promise
}

/** Whether something else holds a place: listens there for a moment, as HAProxy would. */
export function isTaken(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer((visitor) => visitor.destroy())
  server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
  server.listen({ host, port, reusePort: true, ipv6Only: true, exclusive: true }, () => server.close(() => resolve(false)))
  return promise
}
