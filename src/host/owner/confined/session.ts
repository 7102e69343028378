import type { Socket } from 'node:net'
import { failureOf, Refusal, type Failure } from './calls.ts'
import type { Call } from './call.ts'
import {
  creditFrame,
  frame,
  FrameReader,
  jsonFrame,
  kinds,
  maxChunkBytes,
  windowBytes,
  headerBytes,
  writeHeader,
} from './frames.ts'
import { sizeOf } from './write-parts.ts'

/** The context of an operation. */
export interface CallRun {
  readonly signal: AbortSignal
  /** The bytes that the caller sends, each time all that arrived since the last; granted as they are consumed. */
  body(): AsyncGenerator<readonly Buffer[]>
  head(value: unknown): void
  note(value: unknown): void
  /** Returns how many bytes may be sent now; waits until it is at least one. */
  room(): Promise<number>
  /** Sends a buffer whose first bytes are reserved for the header; resolves when the buffer may be reused. */
  send(framed: Buffer, sizeBytes: number): Promise<void>
}

/** A grant for each consumed part would cost a frame each. */
const creditBytes = windowBytes / 8

/** Carries out a call. */
export type Carry = (call: Call, run: CallRun) => unknown

/** Answers the calls that arrive over a socket, many at a time. */
export function answer(socket: Socket, carry: Carry): void {
  const open = new Map<number, OpenCall>()
  const reader = new FrameReader({
    limit: (kind) => (kind === kinds.bytes ? maxChunkBytes : 1024 * 1024),
    bytes: (id, part) => open.get(id)?.took(part),
    frame: (kind, id, payload) => {
      if (kind === kinds.call) return void start(id, JSON.parse(payload.toString()) as Call)
      const call = open.get(id)
      if (kind === kinds.end) call?.took(undefined)
      if (kind === kinds.credit) call?.granted(payload.readUInt32LE())
      if (kind === kinds.cancel) call?.cancel()
    },
  })
  const start = async (id: number, call: Call): Promise<void> => {
    const run = new OpenCall(socket, id)
    open.set(id, run)
    const reply = await settled(call, run, carry)
    open.delete(id)
    socket.write(jsonFrame(kinds.done, id, reply))
  }
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
}

async function settled(call: Call, run: CallRun, carry: Carry): Promise<{ ok: unknown } | { fail: Failure }> {
  try {
    return { ok: (await carry(call, run)) ?? {} }
  } catch (error) {
    return { fail: failureOf(error, 'path' in call ? call.path : undefined) }
  }
}

class OpenCall implements CallRun {
  readonly #socket: Socket
  readonly #id: number
  readonly #abort = new AbortController()
  readonly signal = this.#abort.signal
  #credit = windowBytes
  #queue: (Buffer | undefined)[] = []
  #wake: () => void = () => {}

  constructor(socket: Socket, id: number) {
    this.#socket = socket
    this.#id = id
  }

  took(part: Buffer | undefined): void {
    this.#queue.push(part)
    this.#wake()
  }

  granted(sizeBytes: number): void {
    this.#credit += sizeBytes
    this.#wake()
  }

  cancel(): void {
    this.#abort.abort()
    this.#wake()
  }

  async *body(): AsyncGenerator<readonly Buffer[]> {
    let taken = 0
    for (let hasEnded = false; !hasEnded;) {
      this.#stopIfCancelled()
      if (this.#queue.length === 0) {
        await this.#change()
        continue
      }
      const parts = this.#queue.filter((part) => part !== undefined)
      hasEnded = parts.length < this.#queue.length // nothing follows the end
      this.#queue = []
      if (parts.length > 0) yield parts
      taken += sizeOf(parts)
      if (taken < creditBytes) continue
      this.#socket.write(creditFrame(this.#id, taken))
      taken = 0
    }
    this.#stopIfCancelled()
  }

  head(value: unknown): void {
    this.#socket.write(jsonFrame(kinds.head, this.#id, value))
  }

  note(value: unknown): void {
    this.#socket.write(jsonFrame(kinds.note, this.#id, value))
  }

  async room(): Promise<number> {
    for (;;) {
      this.#stopIfCancelled()
      if (this.#credit > 0) return this.#credit
      await this.#change()
    }
  }

  send(framed: Buffer, sizeBytes: number): Promise<void> {
    this.#credit -= sizeBytes
    writeHeader(framed, kinds.bytes, this.#id, sizeBytes)
    return new Promise((resolve) =>
      this.#socket.write(framed.subarray(0, headerBytes + sizeBytes), () => resolve()),
    )
  }

  #stopIfCancelled(): void {
    if (this.signal.aborted) throw new Refusal('CANCELLED')
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** Announces that the helper is ready for calls. */
export function sayReady(socket: Socket): void {
  socket.write(frame(kinds.ready, 0))
}
