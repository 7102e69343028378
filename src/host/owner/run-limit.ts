import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { NotGranted, Semaphore } from '../../core/semaphore.ts'
import type { Account } from './confinement.ts'
import { OwnerUnavailable } from './problems.ts'

const waitMs = 20_000

/** Waits until one more program may run for an account; returns the function to call when it has ended. */
export type AcquireRun = (account: Account, signal?: AbortSignal) => Promise<() => void>

/** Limits how many programs of a sort run at once: 6 for each account, 16 for all. */
export function runLimit(programs: string): AcquireRun {
  const all = new Semaphore(16)
  const owners = new KeyedMutex<number>(6)
  return async ({ uid, name }, signal) => {
    try {
      const releaseOwner = await owners.acquire(uid, { timeoutMs: waitMs, signal })
      const releaseAll = await all.acquire({ timeoutMs: waitMs, signal }).catch((error: unknown) => {
        releaseOwner()
        throw error
      })
      return () => {
        releaseAll()
        releaseOwner()
      }
    } catch (error) {
      if (!(error instanceof NotGranted)) throw error
      throw OwnerUnavailable(`${name}: too many ${programs} are running; try again later`)
    }
  }
}
