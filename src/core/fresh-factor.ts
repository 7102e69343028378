import type { Caller } from './caller.ts'
import { FactorRequired } from './problem.ts'

/** Asks a session whose user has a second factor for a fresh code (decision record 0041); `freshMs` 0 asks nobody. */
export function assertFresh({ provedAtMs }: Caller, freshMs = 0, now = Date.now()): void {
  if (freshMs === 0 || provedAtMs === undefined) return
  if (now - provedAtMs > freshMs || provedAtMs > now + freshMs) throw FactorRequired()
}
