/** The limits of waiting for a permit. */
export interface Wait {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Afterwards the wait ends with `NotGranted`. Default: no limit. */
  readonly timeoutMs?: number
}

/** No permit was granted: too many callers wait already, or the wait took too long. */
export class NotGranted extends Error {
  readonly reason: 'full' | 'timeout'

  constructor(reason: 'full' | 'timeout') {
    super(reason === 'full' ? 'too many callers wait for a permit' : 'the wait for a permit took too long')
    this.reason = reason
  }
}

/** Grants a number of permits at a time; further callers wait in the order of their calls. */
export class Semaphore {
  readonly #permits: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #granted = 0

  constructor(permits: number, maxWaiting = Infinity) {
    this.#permits = permits
    this.#maxWaiting = maxWaiting
  }

  /** True if no permit is granted. */
  get isIdle(): boolean {
    return this.#granted === 0
  }

  /** Waits for a permit, and returns the function that gives it back; calling it again has no effect. */
  async acquire(wait: Wait = {}): Promise<() => void> {
    wait.signal?.throwIfAborted()
    if (this.#granted < this.#permits) this.#granted++
    else await this.#queue(wait)
    let isHeld = true
    return () => {
      if (isHeld) this.#release()
      isHeld = false
    }
  }

  /** Runs the work with a permit. */
  async run<Result>(work: () => Promise<Result>, wait?: Wait): Promise<Result> {
    const release = await this.acquire(wait)
    try {
      return await work()
    } finally {
      release()
    }
  }

  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#granted--
    else next() // takes the permit over
  }

  #queue({ signal, timeoutMs }: Wait): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw new NotGranted('full')
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#waiting.delete(grant)
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        settle()
      }
      const grant = () => end(resolve)
      const giveUp = () => end(() => reject(signal?.reason as Error))
      const timeUp = () => end(() => reject(new NotGranted('timeout')))
      const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs)
      this.#waiting.add(grant)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }
}
