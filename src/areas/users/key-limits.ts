import { ipv4Form } from '../../core/ipv4-form.ts'
import { type PermissionSlug, permissionSlugs } from '../../core/permissions.ts'
import { BadRequest } from '../../core/problem.ts'
import { type Ranges, rangesOf } from '../../host/fetch/index.ts'
import type { KeyDraft } from './model.ts'
import { apiKeys, type ApiKeyRow, type UserRow } from './store.ts'

const longestYears = 10

/** The limits of a key as they are stored; null where it has none. */
export interface KeyLimits {
  readonly expires_at: string | null
  readonly allowed_addresses: string[] | null
  readonly permissions: PermissionSlug[] | null
}

/** Checks the limits that a new key is to have. Unknown permissions are skipped, as everywhere. */
export function limitsOf(
  { expires_at: end = null, allowed_addresses: addresses = null, permissions = null }: KeyDraft,
  now: Date,
): KeyLimits {
  if (addresses !== null) assertAddresses(addresses)
  return {
    expires_at: end === null ? null : endOf(end, now),
    allowed_addresses: addresses && addresses.map(ipv4Form),
    permissions: permissions && permissionSlugs.filter((slug) => permissions.includes(slug)),
  }
}

function endOf(text: string, now: Date): string {
  const end = new Date(text)
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + longestYears)
  if (!(end > now) || end > latest)
    throw BadRequest(`expires_at: must be a time from now to ${longestYears} years ahead`)
  return end.toISOString()
}

function assertAddresses(texts: readonly string[]): void {
  try {
    rangesOf(texts)
  } catch (error) {
    throw BadRequest(`allowed_addresses: ${error instanceof RangeError ? error.message : 'cannot be read'}`)
  }
}

/** What a key lets its holder do, and from where. */
export interface KeyRights {
  readonly isAdmin: boolean
  readonly permissions: readonly PermissionSlug[]
  /** In milliseconds since 1970; Infinity if it does not end. */
  readonly expiresAtMs: number
  readonly isLimited: boolean
  /** Undefined if it may be used from everywhere. */
  readonly from: Ranges | undefined
}

/** Returns what a key lets its holder do: never more than its user may do now. */
export function rightsOfKey(row: ApiKeyRow, user: UserRow, held: readonly PermissionSlug[]): KeyRights {
  const { permissions: left, allowed_addresses: addresses, expires_at: end } = apiKeys.show(row)
  const isAdmin = user.is_admin === 1
  return {
    isAdmin: isAdmin && left === null,
    permissions:
      left === null
        ? held
        : permissionSlugs.filter((slug) => left.includes(slug) && (isAdmin || held.includes(slug))),
    expiresAtMs: end === null ? Infinity : Date.parse(end),
    isLimited: (end ?? addresses ?? left) !== null,
    from: addresses === null ? undefined : rangesOf(addresses),
  }
}
