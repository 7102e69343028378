import { OwnerUnavailable } from './problems.ts'

interface Limits {
  /** How many calls of one account may be under way at once. */
  readonly maxCalls: number
  /** How many more of them may wait for their turn. */
  readonly maxQueued: number
  readonly waitMs: number
}

interface Lane {
  calls: number
  /** Each begins the call of one who waits. */
  readonly waiting: Set<() => void>
}

/** Bounds the calls of each account: those beyond what may be under way at once wait in their order, not too many and not too long. */
export class CallLimit {
  readonly #limits: Limits
  readonly #lanes = new Map<string, Lane>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Waits for the turn of a call; it lasts until the function that is given back is called. */
  async take(key: string, name: string): Promise<() => void> {
    const lane = this.#lanes.get(key) ?? { calls: 0, waiting: new Set() }
    this.#lanes.set(key, lane)
    if (lane.calls < this.#limits.maxCalls) lane.calls++
    else await this.#turn(lane, name)
    return () => this.#leave(key, lane)
  }

  // Who waits first gets the place of who leaves.
  #leave(key: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) return next()
    lane.calls--
    if (lane.calls === 0) this.#lanes.delete(key)
  }

  #turn({ waiting }: Lane, name: string): Promise<void> {
    const { maxCalls, maxQueued, waitMs } = this.#limits
    if (waiting.size >= maxQueued)
      throw OwnerUnavailable(`${name}: ${maxCalls} calls are under way and ${maxQueued} more wait already`)
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(
          OwnerUnavailable(
            `${name}: ${maxCalls} calls are under way, and this one did not get its turn in ${waitMs / 1000} seconds`,
          ),
        )
      }, waitMs)
      waiting.add(begin)
    })
  }
}
