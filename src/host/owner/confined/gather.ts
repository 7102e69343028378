import { headerBytes, maxChunkBytes } from './frames.ts'

/** Takes a buffer whose first bytes are left free for a frame's header, and how many bytes stand behind them. */
export type TakeFramed = (framed: Buffer, sizeBytes: number) => Promise<void>

/** Gathers many small parts into buffers of the size that travels, so that each is handed on once. */
export class Gather {
  readonly #take: TakeFramed
  #buffer = Buffer.allocUnsafeSlow(headerBytes + maxChunkBytes)
  #fill = 0

  constructor(take: TakeFramed) {
    this.#take = take
  }

  async write(part: Buffer): Promise<void> {
    for (let at = 0; at < part.length;) {
      const size = part.copy(this.#buffer, headerBytes + this.#fill, at)
      at += size
      this.#fill += size
      if (this.#fill === maxChunkBytes) await this.flush()
    }
  }

  /** Hands on what has gathered. */
  async flush(): Promise<void> {
    if (this.#fill === 0) return
    const [framed, size] = [this.#buffer, this.#fill]
    this.#buffer = Buffer.allocUnsafeSlow(headerBytes + maxChunkBytes)
    this.#fill = 0
    await this.#take(framed, size)
  }
}
