import { openAttemptCounts } from '../../core/attempt-counts.ts'
import { RateLimited } from '../../core/problem.ts'

/** Counts attempts by key; beyond the limit the caller is told when to come back. */
export interface AttemptLimit {
  /** Counts one attempt, and throws RateLimited when there were too many. */
  count(key: string): void
}

const windowMs = 60_000

/** At most `perMinute` attempts a minute for each key, in memory; by the monotonic clock, as that of the host may be set. */
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
  return RateLimited(`Too many attempts: try again in ${seconds} s`, { fields: { retry_after: seconds } })
}
