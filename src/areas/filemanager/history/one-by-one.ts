/** Lets one thing happen after the other for each key, in the order in which they came. */
export class KeyedMutex<Key> {
  readonly #tails = new Map<Key, Promise<void>>()

  /** Waits for the turn; it lasts until the function that is given back is called. */
  async take(key: Key): Promise<() => void> {
    const before = this.#tails.get(key)
    const turn = Promise.withResolvers<void>()
    this.#tails.set(key, turn.promise)
    await before
    return () => {
      if (this.#tails.get(key) === turn.promise) this.#tails.delete(key)
      turn.resolve()
    }
  }

  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const free = await this.take(key)
    try {
      return await work()
    } finally {
      free()
    }
  }
}
