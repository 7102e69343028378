const firstBytes = 4096

/** The latest output of a terminal, up to a limit in bytes. */
export class Recent {
  readonly #limitBytes: number
  #bytes: Buffer
  #end = 0
  #isWrapped = false

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
    this.#bytes = Buffer.alloc(Math.min(firstBytes, limitBytes))
  }

  append(chunk: Buffer): void {
    let rest = chunk.subarray(-this.#limitBytes)
    this.#grow(this.#end + rest.length)
    while (rest.length > 0) {
      const copied = rest.copy(this.#bytes, this.#end)
      rest = rest.subarray(copied)
      this.#end += copied
      if (this.#end < this.#limitBytes) continue
      this.#end = 0
      this.#isWrapped = true
    }
  }

  /** Returns a copy of the output, oldest first. */
  read(): Buffer {
    const newest = this.#bytes.subarray(0, this.#end)
    return Buffer.concat(this.#isWrapped ? [this.#bytes.subarray(this.#end), newest] : [newest])
  }

  /** Doubles the room until the limit: most terminals print little. */
  #grow(neededBytes: number): void {
    if (neededBytes <= this.#bytes.length || this.#bytes.length === this.#limitBytes) return
    const size = Math.min(this.#limitBytes, Math.max(neededBytes, 2 * this.#bytes.length))
    const larger = Buffer.alloc(size)
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}
