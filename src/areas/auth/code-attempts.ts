import { openAttemptCounts } from '../../core/attempt-counts.ts'
import { retryAfter } from '../../core/problem.ts'
import { TooManyCodes } from './problems.ts'

const limit = 10
const windowMs = 900_000

/** Wrong codes of second factors, counted in memory by user. */
export interface CodeAttempts {
  /** Counts a code as wrong before it is checked; call the result if it was right. Throws TooManyCodes. */
  begin(userId: number): () => void
}

/**
 * Refuses a user after 10 wrong codes in 15 minutes, whatever addresses they come from: a code has six digits, and only
 * those who know the password can cause this.
 */
export function openCodeAttempts(clock: () => number = () => performance.now()): CodeAttempts {
  const counts = openAttemptCounts(windowMs)
  return {
    begin: (userId) => {
      const key = String(userId)
      const at = clock()
      const { count, endsInMs } = counts.read(key, at)
      if (count >= limit) {
        const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
        throw TooManyCodes(`Too many wrong codes: try again in ${seconds} s`, retryAfter(seconds))
      }
      return counts.add(key, at)
    },
  }
}
