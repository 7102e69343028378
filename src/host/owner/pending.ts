import type { Failure } from './confined/calls.ts'
import type { Call } from './confined/call.ts'
import { FrameRefused, kinds, maxChunkBytes, windowBytes } from './confined/frames.ts'
import { replies, type Checker } from './replies.ts'

/** The reason why a channel ended. */
export type EndReason = 'hostile' | 'stuck' | 'gone'

/** One call: its request, and the replies that are allowed. */
export interface CallPlan {
  readonly request: Call
  readonly reply: Checker<unknown>
  readonly replyLimitBytes: number
  /** The longest wait for the helper: for the reply, or between two signs of progress. */
  readonly stallMs: number
  /** Checks the head of a stream; that of a file if absent. */
  readonly head?: Checker<unknown>
  /** Limit for the head; 4 KiB if absent. */
  readonly headLimitBytes?: number
  readonly onHead?: (head: unknown) => void
  readonly onBytes?: (part: Buffer) => void
  readonly onNote?: (note: unknown) => void
}

/** The operations of a channel that a call may use. */
export interface CallWire {
  credit(sizeBytes: number): void
  bytes(part: Uint8Array): void
  end(): void
  cancel(): void
  stuck(): void
  drained(): Promise<void>
  closed(): void
}

/** The channel ended during a call. */
export class ChannelBroken extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason, why: string) {
    super(why)
    this.reason = reason
  }
}

/** The result of a call: its checked reply, or the failure that the helper reported. */
export type Outcome = { readonly ok: unknown } | { readonly fail: Failure }

const notesPerSecond = 50
/** The time that a cancelled call has to clean up and end, as a multiple of the stall time, even if it shows signs of life. */
const stallsToEnd = 3

/** A call in progress, with the limits that its peer must respect: bytes within credit, a bounded rate of notes, one reply. */
export class PendingCall {
  readonly #plan: CallPlan
  readonly #wire: CallWire
  readonly outcome: Promise<Outcome>
  #settle: (outcome: Outcome) => void = () => {}
  #fail: (error: Error) => void = () => {}
  #timer: NodeJS.Timeout
  #lastTimer: NodeJS.Timeout | undefined
  #mayReceiveBytes = windowBytes
  #maySendBytes = windowBytes
  #hasHead = false
  /** True if the next part of the body is still expected from its source. */
  #isPreparing = false
  #isOver = false
  #notes = { second: 0, count: 0 }
  #wake: () => void = () => {}

  constructor(plan: CallPlan, wire: CallWire) {
    this.#plan = plan
    this.#wire = wire
    this.outcome = new Promise((resolve, reject) => {
      ;[this.#settle, this.#fail] = [resolve, reject]
    })
    this.outcome.catch(() => {}) // the awaiting caller receives it; one that stopped listening does not
    this.#timer = setTimeout(() => this.#timeUp(), plan.stallMs)
  }

  get mayReceive(): boolean {
    return this.#plan.onBytes !== undefined && this.#hasHead
  }

  limit(kind: number): number | undefined {
    if (kind === kinds.done) return this.#plan.replyLimitBytes
    if (kind === kinds.head && this.#plan.onHead !== undefined && !this.#hasHead)
      return this.#plan.headLimitBytes ?? 4096
    if (kind === kinds.note && this.#plan.onNote !== undefined) return 1024
    return kind === kinds.credit ? 4 : undefined
  }

  bytes(part: Buffer): void {
    this.#mayReceiveBytes -= part.length
    if (this.#mayReceiveBytes < 0) throw new FrameRefused('more bytes than were granted')
    this.#timer.refresh()
    this.#plan.onBytes?.(part)
  }

  frame(kind: number, payload: Buffer): void {
    this.#timer.refresh()
    if (kind === kinds.credit) return this.#credited(payload)
    const value: unknown = JSON.parse(payload.toString('utf8'))
    if (kind === kinds.note) return this.#noted(value)
    if (kind === kinds.head) {
      if (!(this.#plan.head ?? replies.head).Check(value)) throw new FrameRefused('an invalid head')
      this.#hasHead = true
      return this.#plan.onHead?.(value)
    }
    this.#done(value)
  }

  /** Grants the peer more bytes. */
  grant(sizeBytes: number): void {
    if (this.#isOver) return
    this.#mayReceiveBytes += sizeBytes
    this.#timer.refresh()
    this.#wire.credit(sizeBytes)
  }

  /** Sends a body, and runs `last` before its end is announced; stops early if the call ends first. */
  async send(
    source: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
    last?: () => Promise<void>,
  ): Promise<void> {
    this.#isPreparing = true
    for await (const whole of source) {
      const bytes = Buffer.isBuffer(whole) ? whole : Buffer.from(whole as Uint8Array)
      this.#isPreparing = false
      this.#timer.refresh()
      for (let at = 0; at < bytes.length && !this.#isOver; at += maxChunkBytes) {
        const part = bytes.subarray(at, at + maxChunkBytes)
        while (this.#maySendBytes < part.length && !this.#isOver)
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        this.#maySendBytes -= part.length
        this.#wire.bytes(part)
        await this.#wire.drained()
      }
      if (this.#isOver) return
      this.#isPreparing = true
    }
    await last?.()
    if (this.#isOver) return
    this.#isPreparing = false
    this.#timer.refresh()
    this.#wire.end()
  }

  /** Asks the peer to stop. One that does not counts as stuck, even if it shows signs of life. */
  cancel(): void {
    if (this.#isOver || this.#lastTimer !== undefined) return
    this.#lastTimer = setTimeout(() => this.#wire.stuck(), stallsToEnd * this.#plan.stallMs)
    this.#wire.cancel()
  }

  broken(reason: EndReason, why: string): void {
    this.#close()
    this.#fail(new ChannelBroken(reason, why))
  }

  #credited(payload: Buffer): void {
    if (payload.length !== 4) throw new FrameRefused('a credit that is not a number')
    const size = payload.readUInt32LE()
    this.#maySendBytes += size
    if (size === 0 || this.#maySendBytes > windowBytes)
      throw new FrameRefused('credit for more than was sent')
    this.#wake()
  }

  #noted(value: unknown): void {
    const second = Math.trunc(performance.now() / 1000)
    if (second !== this.#notes.second) this.#notes = { second, count: 0 }
    if (++this.#notes.count > notesPerSecond || !replies.note.Check(value))
      throw new FrameRefused('too many notes, or an invalid note')
    this.#plan.onNote?.(value)
  }

  #done(value: unknown): void {
    if (replies.failure.Check(value)) {
      this.#close()
      return this.#settle({ fail: value.fail })
    }
    const ok =
      typeof value === 'object' && value !== null && Object.keys(value).join() === 'ok'
        ? (value as { ok: unknown }).ok
        : undefined
    if (!this.#plan.reply.Check(ok)) throw new FrameRefused(`an invalid reply to ${this.#plan.request.op}`)
    this.#close()
    this.#settle({ ok })
  }

  // Only time spent waiting for the peer counts, not for our slow consumer or our slow source.
  #timeUp(): void {
    const weAreSlow = this.#mayReceiveBytes <= 0 || this.#isPreparing
    if (!weAreSlow) return this.#wire.stuck()
    this.#timer = setTimeout(() => this.#timeUp(), this.#plan.stallMs)
  }

  #close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#lastTimer)
    this.#wire.closed()
    this.#wake()
  }
}
