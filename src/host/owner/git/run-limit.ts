import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { NotGranted, Semaphore } from '../../../core/semaphore.ts'
import type { Account } from '../confinement.ts'
import { OwnerUnavailable } from '../problems.ts'

const waitMs = 20_000
const all = new Semaphore(16)
const owners = new KeyedMutex<number>(6)

/** Waits until git may run for an account; returns the function to call when it has ended. */
export async function acquireRun({ uid, name }: Account, signal?: AbortSignal): Promise<() => void> {
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
    throw OwnerUnavailable(`${name}: too many git processes are running; try again later`)
  }
}
