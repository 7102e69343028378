import { Semaphore, type Wait } from './semaphore.ts'

/**
 * Grants one permit for each key at a time, or `permits` of them; a key that is not in use takes no memory.
 */
export class KeyedMutex<Key> {
  readonly #semaphores = new Map<Key, Semaphore>()
  readonly #permits: number
  readonly #maxWaiting: number

  constructor(permits = 1, maxWaiting = Infinity) {
    this.#permits = permits
    this.#maxWaiting = maxWaiting
  }

  /** Waits for the key, and returns the function that releases it. */
  async acquire(key: Key, wait?: Wait): Promise<() => void> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#permits, this.#maxWaiting)
    this.#semaphores.set(key, semaphore)
    try {
      const release = await semaphore.acquire(wait)
      return () => {
        release()
        this.#forget(key, semaphore)
      }
    } catch (error) {
      this.#forget(key, semaphore)
      throw error
    }
  }

  /** Runs the work while holding the key. */
  async run<Result>(key: Key, work: () => Promise<Result>, wait?: Wait): Promise<Result> {
    const release = await this.acquire(key, wait)
    try {
      return await work()
    } finally {
      release()
    }
  }

  #forget(key: Key, semaphore: Semaphore): void {
    if (semaphore.isIdle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key)
  }
}
