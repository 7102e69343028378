import { createHash } from 'node:crypto'

/** When a certificate authority suggests to renew a certificate (RFC 9773, section 4.2). */
export interface RenewalWindow {
  readonly start: Date
  readonly end: Date
}

interface Lifetime {
  readonly notBefore: Date
  readonly notAfter: Date
}

const hourMs = 3_600_000

/**
 * The time of a renewal: within the suggested window, otherwise at two thirds of the lifetime and up to a
 * twentieth of it later, so that certificates that were issued together are not renewed together.
 */
export function renewalOf(
  { notBefore, notAfter }: Lifetime,
  window: RenewalWindow | undefined,
  of: string,
): Date {
  const share = shareOf(`${of} ${notAfter.toISOString()}`)
  const lifetimeMs = notAfter.getTime() - notBefore.getTime()
  if (window === undefined)
    return new Date(Math.round(notBefore.getTime() + (lifetimeMs * 2) / 3 + (share * lifetimeMs) / 20))
  const { start, end } = window
  const suggestedMs = Math.round(start.getTime() + share * (end.getTime() - start.getTime()))
  return new Date(Math.min(suggestedMs, notAfter.getTime() - lifetimeMs / 6))
}

interface Failing {
  readonly now: Date
  /** How often it has failed in a row, from 1. */
  readonly count: number
  /** What the certificate authority asked for (RFC 9110, section 10.2.3). */
  readonly retryAfterMs: number | undefined
  readonly lifetimeMs: number | undefined
}

/** The time before which a failed order is not repeated: never sooner than the authority asks. */
export function retryAt({ now, count, retryAfterMs = 0, lifetimeMs = 90 * 24 * hourMs }: Failing): Date {
  const ownMs = Math.min(
    hourMs * 2 ** Math.min(count - 1, 10),
    24 * hourMs,
    Math.max(lifetimeMs / 20, 10_000),
  )
  return new Date(now.getTime() + Math.max(ownMs, Math.min(retryAfterMs, 7 * 24 * hourMs)))
}

/** Reads a Retry-After header: seconds, or a date; undefined if it is neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

/** The same number from 0 to 1 for the same text. */
const shareOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
