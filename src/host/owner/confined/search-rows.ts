import type { FoundRow } from './calls.ts'
import { headerBytes, maxChunkBytes } from './frames.ts'
import type { CallRun } from './session.ts'

const waitMs = 50
const beatMs = 2000

/** Sends rows while they are found, each as a line of JSON: the first ones after at most 50 ms. An empty line is a sign of life. */
export class RowStream {
  readonly #run: CallRun
  readonly #limit: number
  readonly #enough = new AbortController()
  /** Aborts when the requested number of rows is reached. */
  readonly enough = this.#enough.signal
  #text = ''
  #count = 0
  #sending: Promise<unknown> = Promise.resolve()
  #sentAt = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(run: CallRun, limit: number) {
    this.#run = run
    this.#limit = limit
    this.#timer = setInterval(() => this.#beat(), waitMs)
  }

  add(row: FoundRow): void {
    if (this.enough.aborted) return
    this.#text += `${JSON.stringify(row)}\n`
    if (++this.#count >= this.#limit) this.#enough.abort()
  }

  /** Sends the remaining rows. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#flush()
    await this.#sending
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    if (this.#text === '' && performance.now() - this.#sentAt > beatMs) this.#text = '\n'
    if (this.#text !== '') this.#flush()
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#sentAt = performance.now()
    this.#sending = this.#sending.then(() => this.#send(bytes))
    this.#sending.catch(() => this.#enough.abort()) // the reader is gone; `end` reports it
  }

  async #send(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const size = Math.min(bytes.length - at, maxChunkBytes, await this.#run.room())
      await this.#run.send(Buffer.concat([Buffer.alloc(headerBytes), bytes.subarray(at, at + size)]), size)
      at += size
    }
  }
}
