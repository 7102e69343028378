/** A body that is kept in memory, as far as it has arrived. */
export interface KeptBody {
  bytes: number
  /** Gives up a body that is still arriving. */
  readonly giveUp: () => void
}

/**
 * Counts the bytes of all request bodies in memory. At the limit, the body that has been arriving longest is
 * given up.
 */
export class BodyMemory {
  readonly #limitBytes: number
  /** In order of arrival. */
  readonly #arriving = new Set<KeptBody>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Starts counting a body. */
  open(giveUp: () => void): KeptBody {
    const body = { bytes: 0, giveUp }
    this.#arriving.add(body)
    return body
  }

  /** Counts further bytes of a body; false if there is no room for them. */
  grow(body: KeptBody, bytes: number): boolean {
    while (this.#usedBytes + bytes > this.#limitBytes) {
      const [oldest] = this.#arriving
      if (oldest === undefined || oldest === body) return false
      this.release(oldest)
      oldest.giveUp()
    }
    body.bytes += bytes
    this.#usedBytes += bytes
    return true
  }

  /** Keeps the body from being given up, as its request is being carried out. */
  complete(body: KeptBody): void {
    this.#arriving.delete(body)
  }

  /** Forgets a body and its bytes. */
  release(body: KeptBody): void {
    this.#arriving.delete(body)
    this.#usedBytes -= body.bytes
    body.bytes = 0
  }
}
