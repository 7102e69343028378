import { openAttemptCounts } from '../../core/attempt-counts.ts'
import { RateLimited, retryAfter } from '../../core/problem.ts'

const anHour = 5

/**
 * Few tests an hour of one user, and of all users together to one target: a test reaches people who have not asked for it.
 */
export interface TestLimit {
  /** Throws RateLimited if the user has sent too many, or the target has got too many. */
  assertFree(userId: number, target: string): void
  count(userId: number, target: string): void
}

/** Opens the limit; the clock is in milliseconds and never goes back. */
export function openTestLimit(clock: () => number = () => performance.now()): TestLimit {
  const counts = openAttemptCounts(3_600_000)
  const keysOf = (userId: number, target: string) => [`user ${userId}`, `target ${target.toLowerCase()}`]
  return {
    assertFree: (userId, target) => {
      for (const key of keysOf(userId, target)) {
        const { count, endsInMs } = counts.read(key, clock())
        const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
        if (count >= anHour)
          throw RateLimited(
            `${anHour} tests were sent within an hour: try again in ${seconds} s`,
            retryAfter(seconds),
          )
      }
    },
    count: (userId, target) => {
      for (const key of keysOf(userId, target)) counts.add(key, clock())
    },
  }
}
