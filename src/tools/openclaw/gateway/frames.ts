import type { RawData, WebSocket } from 'ws'
import { isRecord } from '../json5.ts'

/** A message of the gateway: an answer to a request, or an event. */
export interface Frame {
  readonly type: 'res' | 'event'
  /** Of the request that it answers. */
  readonly id: string
  readonly event: string
  readonly isOk: boolean
  readonly payload: Readonly<Record<string, unknown>>
  readonly error: Readonly<Record<string, unknown>>
}

/** The limit that the gateway itself has. */
export const maxFrameBytes = 25 * 1024 * 1024
const mostWaiting = 200

/** Parses a message; undefined if it is not one of the protocol's. */
export function readFrame(text: string): Frame | undefined {
  const value = parsed(text)
  if (!isRecord(value)) return undefined
  const { type, id, event, ok, payload, error } = value
  if (type !== 'res' && type !== 'event') return undefined
  return {
    type,
    id: typeof id === 'string' ? id : '',
    event: typeof event === 'string' ? event : '',
    isOk: ok === true,
    payload: isRecord(payload) ? payload : {},
    error: isRecord(error) ? error : {},
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The messages of a socket in their order; a reader that is slow makes the gateway wait. */
export class Frames {
  readonly #socket: WebSocket
  readonly #waiting: Frame[] = []
  #wake: () => void = () => {}
  #end: string | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    socket.on('error', (error: Error) => this.#finish(error.message))
    socket.on('close', (code: number, reason: Buffer) =>
      this.#finish(`the connection was closed: ${reason.toString().slice(0, 500) || code}`),
    )
  }

  /** Why there are no further messages; undefined while the connection is open. */
  get end(): string | undefined {
    return this.#end
  }

  /** The next message; undefined at the end. */
  async next(): Promise<Frame | undefined> {
    while (this.#waiting.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    const frame = this.#waiting.shift()
    if (this.#socket.isPaused && this.#waiting.length < mostWaiting / 2) this.#socket.resume()
    return frame
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#end !== undefined) return
    const frame = isBinary ? undefined : readFrame(textOf(data))
    if (frame === undefined) {
      this.#finish(isBinary ? 'it sent a binary message' : 'it sent a message that is not of its protocol')
      this.#socket.terminate()
      return
    }
    this.#waiting.push(frame)
    if (this.#waiting.length >= mostWaiting) this.#socket.pause()
    this.#wake()
  }

  #finish(reason: string): void {
    this.#end ??= reason
    this.#wake()
  }
}

/** The text of a message, which may have arrived in several parts. */
function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8')
}
