import assert from 'node:assert/strict'
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

/** The data received until the other side closes the connection; fails if it does not within `limitMs`. */
export async function answerUntilClosed(
  socket: Socket,
  limitMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    socket.destroy()
  }, limitMs)
  await new Promise((resolve) => socket.once('close', resolve)) // also after a reset, which is an error for once()
  clearTimeout(late)
  assert.ok(!isLate, `the connection was not closed within ${limitMs} ms, after ${JSON.stringify(text)}`)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }
}
