import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../../core/problem.ts'

/** Counts attempts by key; beyond the limit the caller is told when to come back. */
export interface AttemptLimit {
  /** Counts one attempt, and throws RateLimited when there were too many. */
  count(key: string): Promise<void>
  /** Throws RateLimited when there were too many already. */
  check(key: string): Promise<void>
}

const windowSeconds = 60

/** At most `perMinute` attempts a minute for each key, in memory. */
export function attemptLimit(perMinute: number): AttemptLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds })
  return {
    count: async (key) => {
      try {
        await limiter.consume(key)
      } catch (error) {
        throw error instanceof RateLimiterRes ? tooMany(error) : error
      }
    },
    check: async (key) => {
      const used = await limiter.get(key)
      if (used !== null && used.remainingPoints <= 0 && used.consumedPoints > perMinute) throw tooMany(used)
    },
  }
}

function tooMany(used: RateLimiterRes): Error {
  // by the clock, which may have been set back; attempts are forgotten by a timer, which is not
  const seconds = Math.min(windowSeconds, Math.max(1, Math.ceil(used.msBeforeNext / 1000)))
  return RateLimited(`Too many attempts: try again in ${seconds} s`, { fields: { retry_after: seconds } })
}
