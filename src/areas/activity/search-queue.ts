import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { RateLimited, retryAfter } from '../../core/problem.ts'
import { NotGranted } from '../../core/semaphore.ts'

const mostWaiting = 4
const retryAfterSeconds = 2

/** Keeps searches of a large log from blocking the panel. */
export interface SearchQueue {
  /**
   * Runs one search per caller at a time; a few more wait, and further ones are refused with `RateLimited`.
   */
  run<Result>(callerId: number, search: () => Promise<Result>): Promise<Result>
  /**
   * Resolves in an event loop iteration that no other search of this queue uses: requests are answered in
   * between.
   */
  turn(): Promise<void>
}

/** Opens an empty queue. */
export function openSearchQueue(): SearchQueue {
  const searches = new KeyedMutex<number>(1, mostWaiting)
  let lastTurn: Promise<void> = Promise.resolve()
  return {
    run: (callerId, search) =>
      searches.run(callerId, search).catch((error: unknown) => {
        throw error instanceof NotGranted ? tooMany() : error
      }),
    turn: () => (lastTurn = lastTurn.then(nextTurn)),
  }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

function tooMany(): Error {
  return RateLimited(
    'Your searches are still running: wait until they end, or narrow them',
    retryAfter(retryAfterSeconds),
  )
}
