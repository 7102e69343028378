import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { NotGranted } from '../../core/semaphore.ts'
import { OwnerUnavailable } from './problems.ts'

interface Limits {
  /** Calls of one account that run at the same time. */
  readonly maxCalls: number
  /** Further calls of that account that may wait. */
  readonly maxQueued: number
  readonly waitMs: number
}

/** Limits the calls of each account: further calls are queued in order, up to a number and a time. */
export class CallLimit {
  readonly #limits: Limits
  readonly #accounts: KeyedMutex<string>

  constructor(limits: Limits) {
    this.#limits = limits
    this.#accounts = new KeyedMutex(limits.maxCalls, limits.maxQueued)
  }

  /** Waits until a call of an account may run; returns the function to call when it has ended. */
  async acquire(key: string, name: string): Promise<() => void> {
    const { maxCalls, maxQueued, waitMs } = this.#limits
    try {
      return await this.#accounts.acquire(key, { timeoutMs: waitMs })
    } catch (error) {
      if (!(error instanceof NotGranted)) throw error
      throw OwnerUnavailable(
        error.reason === 'full'
          ? `${name}: ${maxCalls} calls are running and ${maxQueued} more are waiting`
          : `${name}: ${maxCalls} calls are running, and none ended within ${waitMs / 1000} seconds`,
      )
    }
  }
}
