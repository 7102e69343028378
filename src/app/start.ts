import { Busy, retryAfter } from '../core/problem.ts'

const waitMs = 10_000

/** The start of the panel: requests that arrive before it has completed wait for it. */
export class Start {
  readonly #ended = Promise.withResolvers<void>()
  #isOver = false

  constructor() {
    this.#ended.promise.catch(() => {}) // there may be no waiting request when it fails
  }

  get isOver(): boolean {
    return this.#isOver
  }

  succeed(): void {
    this.#isOver = true
    this.#ended.resolve()
  }

  fail(): void {
    this.#ended.reject(starting())
  }

  /** Settles when the panel has started; throws Busy if that takes too long or fails. */
  async wait(): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(starting()), waitMs)
    try {
      await Promise.race([this.#ended.promise, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

function starting(): Error {
  return Busy('The panel is starting: try again', retryAfter(2))
}
