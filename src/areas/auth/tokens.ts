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

/** Tokens are random, so a plain SHA-256 is enough; the look-up by hash leaks nothing through its time. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
