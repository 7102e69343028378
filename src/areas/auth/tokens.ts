import { createHash, randomBytes } from 'node:crypto'

export const accessSeconds = 900
const refreshDays = 30

/** A pair of fresh tokens, with the hashes that are stored in their place. */
export function freshTokens(now: Date) {
  const access = `hra_${randomBytes(32).toString('base64url')}`
  const refresh = `hrr_${randomBytes(32).toString('base64url')}`
  return {
    access,
    refresh,
    accessHash: hashToken(access),
    refreshHash: hashToken(refresh),
    accessExpiresAt: new Date(now.getTime() + accessSeconds * 1000).toISOString(),
    expiresAt: new Date(now.getTime() + refreshDays * 86_400_000).toISOString(),
  }
}

/** The longest that an access token, or a session, may still have to live: an hour, or a day, for corrections of the clock. */
export const longestAccessMs = accessSeconds * 1000 + 3_600_000
export const longestSessionMs = (refreshDays + 1) * 86_400_000

/** Whether something that expires is alive. One that would live too long comes from a clock that was ahead: it ends, too. */
export const isWithinLife = (expiresAtMs: number, nowMs: number, longestMs: number): boolean =>
  expiresAtMs >= nowMs && expiresAtMs <= nowMs + longestMs

/** Tokens are random, so a plain SHA-256 is enough; the look-up by hash leaks nothing through its time. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
