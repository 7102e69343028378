import type { Call, Failure } from './confined/calls.ts'
import { FrameRefused, kinds, maxChunkBytes, windowBytes } from './confined/frames.ts'
import type { EndReason } from './channel.ts'
import { replies, type Checker } from './replies.ts'

/** One call: what is asked, and what may come back. */
export interface CallPlan {
  readonly request: Call
  readonly reply: Checker<unknown>
  readonly replyLimitBytes: number
  /** How long the confined program may keep us waiting: for the reply, or from one sign of progress to the next. */
  readonly stallMs: number
  /** What tells of a stream before its bytes; of a file where absent. */
  readonly head?: Checker<unknown>
  /** Of the head; 4 KiB where absent. */
  readonly headLimitBytes?: number
  readonly onHead?: (head: unknown) => void
  readonly onBytes?: (part: Buffer) => void
  readonly onNote?: (note: unknown) => void
}

/** What a call may do to its channel. */
export interface CallWire {
  credit(sizeBytes: number): void
  bytes(part: Uint8Array): void
  end(): void
  cancel(): void
  stuck(): void
  drained(): Promise<void>
  closed(): void
}

/** The channel ended under a call. */
export class ChannelBroken extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason, why: string) {
    super(why)
    this.reason = reason
  }
}

/** How a call ended: its checked reply, or the failure that the confined program names. */
export type Outcome = { readonly ok: unknown } | { readonly fail: Failure }

const notesPerSecond = 50
/** How often the time of a stall a cancelled call has to clear up and end, however alive it seems. */
const stallsToEnd = 3

/** A call under way, with the accounts that its peer must keep: bytes within credit, notes at a bearable rate, one reply. */
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
  /** Whether the next part of the body is still to come from its source. */
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
    this.outcome.catch(() => {}) // whoever awaits it hears of it; a caller that stopped listening does not
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
      if (!(this.#plan.head ?? replies.head).Check(value)) throw new FrameRefused('a head that is not one')
      this.#hasHead = true
      return this.#plan.onHead?.(value)
    }
    this.#done(value)
  }

  /** Lets the peer send more. */
  grant(sizeBytes: number): void {
    if (this.#isOver) return
    this.#mayReceiveBytes += sizeBytes
    this.#timer.refresh()
    this.#wire.credit(sizeBytes)
  }

  /** Sends a body, and does `last` before its end is told; stops early when the call is over before it. */
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

  /** Asks the peer to stop. One that does not, and goes on to show signs of life, is taken for stuck all the same. */
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
      throw new FrameRefused('a flood of notes, or a note that is not one')
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
    if (!this.#plan.reply.Check(ok))
      throw new FrameRefused(`a reply to ${this.#plan.request.op} that is not one`)
    this.#close()
    this.#settle({ ok })
  }

  // Only the time in which we wait for the peer counts: not while our consumer is slow, nor while our source is.
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
