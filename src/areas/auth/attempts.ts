import { setTimeout as wait } from 'node:timers/promises'
import { TooManyAttempts } from './problems.ts'

const perPair = { limit: 10, windowMs: 60_000 }
const perAddress = { limit: 100, windowMs: 60_000 }
const perAccount = { limit: 100, windowMs: 3_600_000 }
const delayStepMs = 100
const longestDelayMs = 5000
const mostKeys = 100_000

/** One attempt to sign in. The account need not exist: nothing here depends on whether it does. */
export interface Attempt {
  readonly email: string
  readonly ip: string
  readonly now: Date
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

type Delay = (ms: number, signal: AbortSignal) => Promise<unknown>
const delayFor: Delay = (ms, signal) => wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted()) // with the reason, which the caller is answered

/**
 * Limits guessing without locking an account: a pair of address and account is refused for a while, other addresses are
 * only delayed, so nobody can lock the owner of an account out. One address that tries many accounts is refused too.
 */
export function openSignInAttempts(delay: Delay = delayFor): SignInAttempts {
  const pairs = failureCounts(perPair.windowMs)
  const addresses = failureCounts(perAddress.windowMs)
  const accounts = failureCounts(perAccount.windowMs)
  return {
    begin: async ({ email, ip, now, signal }) => {
      const account = email.toLowerCase()
      const pair = `${ip} ${account}`
      const at = now.getTime()
      refuseAbove(perPair.limit, pairs.read(pair, at))
      refuseAbove(perAddress.limit, addresses.read(ip, at))
      const forgive = [pairs.add(pair, at), addresses.add(ip, at), accounts.add(account, at)]
      const excess = accounts.read(account, at).count - perAccount.limit
      if (excess > 0) await delay(Math.min(excess * delayStepMs, longestDelayMs), signal)
      return () => forgive.forEach((each) => each())
    },
  }
}

function refuseAbove(limit: number, { count, endsInMs }: Reading): void {
  if (count < limit) return
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  throw TooManyAttempts(`Too many failed sign-ins from your address: try again in ${seconds} s`, {
    fields: { retry_after: seconds },
  })
}

interface Reading {
  readonly count: number
  readonly endsInMs: number
}

interface Window {
  readonly startedAt: number
  count: number
}

/** Counts by key in windows that begin with the first failure; the oldest windows go first when memory is full. */
function failureCounts(windowMs: number) {
  const windows = new Map<string, Window>() // in the order in which they began
  const current = (key: string, at: number): Window | undefined => {
    const found = windows.get(key)
    return found && isCurrent(found, at) ? found : undefined
  }
  const isCurrent = ({ startedAt }: Window, at: number) => startedAt <= at && at < startedAt + windowMs
  const makeRoom = (at: number) => {
    for (const [key, window] of windows) {
      if (windows.size < mostKeys && isCurrent(window, at)) return
      windows.delete(key)
    }
  }
  return {
    read: (key: string, at: number): Reading => {
      const window = current(key, at)
      return window
        ? { count: window.count, endsInMs: window.startedAt + windowMs - at }
        : { count: 0, endsInMs: 0 }
    },
    /** Counts one, and returns how to take it back. */
    add: (key: string, at: number): (() => void) => {
      const window = current(key, at) ?? { startedAt: at, count: 0 }
      if (window.count === 0) {
        windows.delete(key)
        makeRoom(at)
        windows.set(key, window)
      }
      window.count += 1
      return () => void (window.count -= 1)
    },
  }
}
