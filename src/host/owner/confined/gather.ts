import { headerBytes, maxChunkBytes } from './frames.ts'

/** Receives a buffer whose first bytes are reserved for a frame's header, and the number of bytes after them. */
export type TakeFramed = (framed: Buffer, sizeBytes: number) => Promise<void>

/** Collects small parts into buffers of frame size, so that each buffer is sent once. */
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

  /** Sends the collected bytes. */
  async flush(): Promise<void> {
    if (this.#fill === 0) return
    const [framed, size] = [this.#buffer, this.#fill]
    this.#buffer = Buffer.allocUnsafeSlow(headerBytes + maxChunkBytes)
    this.#fill = 0
    await this.#take(framed, size)
  }
}
