import { openAttemptCounts } from '../../core/attempt-counts.ts'
import { RateLimited, retryAfter } from '../../core/problem.ts'

/** Counts attempts by key; the refusal beyond the limit says when to try again. */
export interface AttemptLimit {
  /** Counts one attempt, and throws RateLimited if there were too many. */
  count(key: string): void
}

const windowMs = 60_000

/**
 * Allows `perMinute` attempts a minute for each key, in memory, by the monotonic clock, as the host's clock
 * may be changed.
 */
export function attemptLimit(perMinute: number, clock: () => number = () => performance.now()): AttemptLimit {
  const counts = openAttemptCounts(windowMs)
  return {
    count: (key) => {
      const now = clock()
      counts.add(key, now)
      const { count, endsInMs } = counts.read(key, now)
      if (count > perMinute) throw tooMany(endsInMs)
    },
  }
}

function tooMany(endsInMs: number): Error {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return RateLimited(`Too many attempts: try again in ${seconds} s`, retryAfter(seconds))
}
