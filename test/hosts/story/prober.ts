import { setTimeout as wait } from 'node:timers/promises'
import type { Host } from '../harness/index.ts'
import { visit } from './visit.ts'

const everyMs = 50

interface Probed {
  readonly visits: number
  /** The wrong answers, and the errors of requests that had none. */
  readonly failures: readonly string[]
  readonly longestGapMs: number
}

/** Requests a website every 50 ms and records the wrong answers, and the longest time without a correct one. */
export class Prober {
  readonly #host: Host
  readonly #domain: string
  readonly #wanted: string
  #isRunning = true
  #lastRightAt = performance.now()
  #longestGapMs = 0
  #visits = 0
  #failures: string[] = []
  readonly #loop: Promise<void>

  constructor(host: Host, domain: string, wanted: string) {
    this.#host = host
    this.#domain = domain
    this.#wanted = wanted
    this.#loop = this.#run()
  }

  /** Stops the requests; returns the results. */
  async stop(): Promise<Probed> {
    this.#isRunning = false
    await this.#loop
    this.#note()
    return {
      visits: this.#visits,
      failures: this.#failures,
      longestGapMs: Math.round(this.#longestGapMs),
    }
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const text = await visit(this.#host, this.#domain).then(
        (answer) => answer.text,
        String, // a refused connection is no right answer
      )
      this.#visits += 1
      if (text === this.#wanted) this.#note()
      else this.#failures.push(text)
      await wait(everyMs)
    }
  }

  #note(): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastRightAt)
    this.#lastRightAt = now
  }
}
