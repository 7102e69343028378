import type { Socket } from 'node:net'
import { onAbort } from '../../../core/on-abort.ts'

/** The target that a SOCKS client requests. */
export interface SocksTarget {
  readonly host: string
  readonly port: number
}

const version = 5

/** Reads a client's greeting and its single request (RFC 1928): a connection to a host by name or address, without authentication. */
export async function readSocksTarget(socket: Socket, timeoutMs: number): Promise<SocksTarget> {
  const take = reader(socket, timeoutMs)
  const [greeted, methods = 0] = await take(2)
  if (greeted !== version || !(await take(methods)).includes(0))
    throw new Error('not SOCKS 5 without authentication')
  socket.write(Buffer.from([version, 0]))
  const [asked, command, , kind] = await take(4)
  if (asked !== version || command !== 1) throw new Error('SOCKS: only CONNECT is supported')
  const host = await readHost(kind, take)
  return { host, port: (await take(2)).readUInt16BE() }
}

/** Encodes the reply to a request: 0 is granted, 2 not allowed, 5 refused by the remote host. */
export const socksReply = (status: 0 | 2 | 5): Buffer =>
  Buffer.from([version, status, 0, 1, 0, 0, 0, 0, 0, 0])

type Take = (size: number) => Promise<Buffer>

async function readHost(kind: number | undefined, take: Take): Promise<string> {
  if (kind === 1) return [...(await take(4))].join('.')
  if (kind === 3) return (await take((await take(1))[0] ?? 0)).toString('latin1')
  if (kind !== 4) throw new Error('SOCKS: an unknown kind of address')
  const bytes = await take(16)
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

// `read` leaves the following bytes in the stream for its next reader.
function reader(socket: Socket, timeoutMs: number): Take {
  const until = AbortSignal.timeout(timeoutMs)
  return async (size) => {
    for (;;) {
      const part: unknown = size === 0 ? Buffer.alloc(0) : socket.read(size)
      if (Buffer.isBuffer(part) && part.length === size) return part
      if (socket.readableEnded || socket.destroyed || part !== null)
        throw new Error('the connection ended early')
      await readable(socket, until)
    }
  }
}

function readable(socket: Socket, until: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const names = ['readable', 'end', 'close'] as const
    let forget = () => {}
    const done = () => {
      for (const name of names) socket.off(name, done)
      forget()
      if (until.aborted) reject(new Error('it took too long'))
      else resolve()
    }
    for (const name of names) socket.on(name, done)
    forget = onAbort(until, done)
  })
}
