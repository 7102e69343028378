import { setTimeout as wait } from 'node:timers/promises'
import type { Host } from '../harness/index.ts'
import { visit } from './visit.ts'

const everyMs = 50

interface Probed {
  readonly visits: number
  /** The wrong answers, and the errors of requests that had none. */
  readonly failures: readonly string[]
  /** The most requests in a row without a correct answer. */
  readonly failuresInARow: number
}

/** Requests a website every 50 ms and records the wrong answers, and how many there were in a row. */
export class Prober {
  readonly #host: Host
  readonly #domain: string
  readonly #wanted: string
  #isRunning = true
  #failingNow = 0
  #failuresInARow = 0
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
    return {
      visits: this.#visits,
      failures: this.#failures,
      failuresInARow: this.#failuresInARow,
    }
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const text = await visit(this.#host, this.#domain).then(
        (answer) => answer.text,
        String, // a refused connection is no right answer
      )
      this.#visits += 1
      if (text === this.#wanted) this.#failingNow = 0
      else {
        this.#failures.push(text)
        this.#failuresInARow = Math.max(this.#failuresInARow, ++this.#failingNow)
      }
      await wait(everyMs)
    }
  }
}
