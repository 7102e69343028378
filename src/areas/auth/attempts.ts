import { setTimeout as wait } from 'node:timers/promises'
import { type AttemptCount, openAttemptCounts, sourceOf } from '../../core/attempt-counts.ts'
import type { Visitor } from '../../core/caller.ts'
import { retryAfter } from '../../core/problem.ts'
import { TooManyAttempts } from './problems.ts'

const perPair = { limit: 10, windowMs: 60_000 }
const perSource = { limit: 100, windowMs: 60_000 }
const perAccount = { limit: 100, windowMs: 3_600_000 }
const delayStepMs = 100
const longestDelayMs = 5000

/** One attempt to sign in. The account need not exist: nothing here depends on whether it does. */
export interface Attempt extends Pick<Visitor, 'ip' | 'localUid'> {
  readonly email: string
  readonly signal: AbortSignal
}

/** Failed sign-ins, counted in memory (decision 4.23). */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed before its password is checked, so that simultaneous ones cannot exceed the limit. Throws
   * TooManyAttempts; waits where the account has had too many failures. Call the result when the attempt succeeds.
   */
  begin(attempt: Attempt): Promise<() => void>
}

interface AttemptOptions {
  readonly delay?: Delay
  /** In milliseconds; never goes back. */
  readonly clock?: () => number
}

type Delay = (ms: number, signal: AbortSignal) => Promise<unknown>
const delayFor: Delay = (ms, signal) => wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted()) // with the reason, which the caller is answered

/**
 * Limits guessing without locking an account: a pair of address and account is refused for a while, other addresses are
 * only delayed, so nobody can lock the owner of an account out. One address that tries many accounts is refused too.
 */
export function openSignInAttempts({
  delay = delayFor,
  clock = () => performance.now(), // monotonic: the clock of the host may be set
}: AttemptOptions = {}): SignInAttempts {
  const pairs = openAttemptCounts(perPair.windowMs)
  const sources = openAttemptCounts(perSource.windowMs)
  const accounts = openAttemptCounts(perAccount.windowMs)
  return {
    begin: async ({ email, signal, ...visitor }) => {
      const source = sourceOf(visitor)
      const account = email.toLowerCase()
      const pair = `${source} ${account}`
      const at = clock()
      refuseAbove(perPair.limit, pairs.read(pair, at))
      refuseAbove(perSource.limit, sources.read(source, at))
      const forgive = [pairs.add(pair, at), sources.add(source, at), accounts.add(account, at)]
      const excess = accounts.read(account, at).count - perAccount.limit
      if (excess > 0) await delay(Math.min(excess * delayStepMs, longestDelayMs), signal)
      return () => forgive.forEach((each) => each())
    },
  }
}

function refuseAbove(limit: number, { count, endsInMs }: AttemptCount): void {
  if (count < limit) return
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  throw TooManyAttempts(
    `Too many failed sign-ins from your address: try again in ${seconds} s`,
    retryAfter(seconds),
  )
}
