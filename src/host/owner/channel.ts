import type { EndReason } from './pending.ts'
import type { Duplex } from 'node:stream'
import {
  creditFrame,
  frame,
  FrameReader,
  FrameRefused,
  headerBytes,
  jsonFrame,
  kinds,
  maxChunkBytes,
  writeHeader,
} from './confined/frames.ts'
import { PendingCall, type CallPlan } from './pending.ts'

/** The panel's end of the socket to one helper. The first frame that breaks the protocol closes it. */
export class Channel {
  readonly #socket: Duplex
  readonly #onEnd: (reason: EndReason, why: string) => void
  readonly #calls = new Map<number, PendingCall>()
  readonly ready: Promise<void>
  #becomeReady: () => void = () => {}
  #isReady = false
  #nextCall = 1
  #hasEnded = false

  constructor(socket: Duplex, onEnd: (reason: EndReason, why: string) => void) {
    this.#socket = socket
    this.#onEnd = onEnd
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve
    })
    const reader = new FrameReader({
      limit: (kind, id) => this.#limit(kind, id),
      bytes: (id, part) => this.#calls.get(id)?.bytes(part),
      frame: (kind, id, payload) => this.#frame(kind, id, payload),
    })
    socket.on('data', (chunk: Buffer) => {
      if (this.#hasEnded) return
      try {
        reader.push(chunk)
      } catch (error) {
        this.end('hostile', error instanceof FrameRefused ? error.message : String(error))
      }
    })
    socket.on('error', () => this.end('gone', 'the connection broke'))
    socket.on('close', () => this.end('gone', 'it ended'))
  }

  get callCount(): number {
    return this.#calls.size
  }

  /** Sends a call. The plan receives the reply. */
  call(plan: CallPlan): PendingCall {
    const id = this.#nextCall++
    const pending = new PendingCall(plan, {
      credit: (size) => this.#write(creditFrame(id, size)),
      bytes: (part) => this.#writeBytes(id, part),
      end: () => this.#write(frame(kinds.end, id)),
      cancel: () => this.#write(frame(kinds.cancel, id)),
      stuck: () => this.end('stuck', 'it did not answer in time'),
      drained: () => this.#drained(),
      closed: () => this.#calls.delete(id),
    })
    this.#calls.set(id, pending)
    if (this.#hasEnded) pending.broken('gone', 'it has ended')
    this.#write(jsonFrame(kinds.call, id, plan.request))
    return pending
  }

  end(reason: EndReason, why: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onEnd(reason, why)
    for (const pending of [...this.#calls.values()]) pending.broken(reason, why)
    this.#calls.clear()
    this.#socket.destroy()
  }

  #limit(kind: number, id: number): number | undefined {
    if (kind === kinds.ready) return id === 0 && !this.#isReady ? 0 : undefined
    const pending = this.#calls.get(id)
    if (kind === kinds.bytes) return pending?.mayReceive === true ? maxChunkBytes : undefined
    return pending?.limit(kind)
  }

  #frame(kind: number, id: number, payload: Buffer): void {
    if (kind === kinds.ready) {
      this.#isReady = true
      return this.#becomeReady()
    }
    this.#calls.get(id)?.frame(kind, payload)
  }

  #write(bytes: Buffer): boolean {
    return !this.#hasEnded && this.#socket.write(bytes)
  }

  // One system call, without copying the payload.
  #writeBytes(id: number, part: Uint8Array): void {
    const header = Buffer.allocUnsafe(headerBytes)
    writeHeader(header, kinds.bytes, id, part.length)
    this.#socket.cork()
    this.#write(header)
    if (!this.#hasEnded) this.#socket.write(part)
    this.#socket.uncork()
  }

  // Credit bounds the bytes in flight, so this waits only for a slow socket.
  #drained(): Promise<void> {
    if (!this.#socket.writableNeedDrain || this.#hasEnded) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done).off('close', done)
        resolve()
      }
      this.#socket.on('drain', done).on('close', done)
    })
  }
}
