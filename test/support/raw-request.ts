import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request that is sent byte by byte, and may end in the middle of its body. */
export interface RawRequest {
  readonly line: string
  readonly headers?: Readonly<Record<string, string>>
  /** The bytes of the body that are sent; `Content-Length` or `Transfer-Encoding` says how many were announced. */
  readonly body?: string
}

/** Sends a request on a connection of its own, and leaves the connection open. */
export function sendRaw(port: number, { line, headers = {}, body = '' }: RawRequest): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`${line} HTTP/1.1`, 'Host: panel', ...fields, '', body].join('\r\n'))
  return socket
}

/** What is answered until the other side closes the connection; fails where it does not within `limitMs`. */
export async function answerUntilClosed(
  socket: Socket,
  limitMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  const late = setTimeout(() => socket.destroy(new Error(`was not closed within ${limitMs} ms`)), limitMs)
  let failure: Error | undefined
  socket.once('error', (error) => (failure = error))
  await once(socket, 'close')
  clearTimeout(late)
  if (failure?.message.startsWith('was not closed')) throw new Error(`${failure.message}; it said: ${text}`)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }
}
