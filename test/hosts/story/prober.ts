import { setTimeout as wait } from 'node:timers/promises'
import type { Host } from '../harness/index.ts'
import { visit } from './visit.ts'

const everyMs = 50

/** Requests a website every 50 ms and records the longest time without a correct answer. */
export class Prober {
  readonly #host: Host
  readonly #domain: string
  readonly #wanted: string
  #isRunning = true
  #lastRightAt = performance.now()
  #longestGapMs = 0
  #visits = 0
  readonly #loop: Promise<void>

  constructor(host: Host, domain: string, wanted: string) {
    this.#host = host
    this.#domain = domain
    this.#wanted = wanted
    this.#loop = this.#run()
  }

  /** Stops the requests; returns the results. */
  async stop(): Promise<{ readonly visits: number; readonly longestGapMs: number }> {
    this.#isRunning = false
    await this.#loop
    this.#note()
    return { visits: this.#visits, longestGapMs: Math.round(this.#longestGapMs) }
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const text = await visit(this.#host, this.#domain).then(
        (answer) => answer.text,
        () => undefined,
      ) // a refused connection is no right answer
      this.#visits += 1
      if (text === this.#wanted) this.#note()
      await wait(everyMs)
    }
  }

  #note(): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastRightAt)
    this.#lastRightAt = now
  }
}
