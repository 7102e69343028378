import type { ZoneKey } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import type { Dnssec, Rollover } from './model.ts'

/** The TTL of a DS at most registries; the longest that is assumed where only a cache was asked. */
const longestTtlSeconds = 86_400

/** What the parent of a zone has of it. */
export interface ParentDs {
  /** Data of the DS records. */
  readonly ds: readonly string[]
  /** How long resolvers keep them. */
  readonly ttlSeconds: number
}

/**
 * Asks the resolver of this host for the DS of a zone; undefined where it does not find out. A server that has the zone and not its
 * parent answers that there is none, and does not know.
 */
export async function readParentDs({ tool }: Authdns, zone: string): Promise<ParentDs | undefined> {
  const answer = await tool.askResolver({ name: zone, type: 'DS' }).catch(() => undefined)
  if (answer === undefined || (answer.code !== 0 && answer.code !== 3)) return undefined
  const { values, ttl, isAuthoritative } = answer
  if (values.length === 0 && answer.zone === zone) return undefined
  // a cache tells the rest of the TTL, and no server tells that of records which are gone
  const known = ttl ?? longestTtlSeconds
  return { ds: values, ttlSeconds: isAuthoritative ? known : Math.max(known, longestTtlSeconds) }
}

/** How long resolvers may keep the DS that the parent has now. */
export const secondsInCaches = (parent: ParentDs | undefined): number =>
  parent?.ttlSeconds ?? longestTtlSeconds

/** Returns whether the parent has any DS of the zone. */
export function parentState(parent: ParentDs | undefined): Dnssec['parent'] {
  if (parent === undefined) return 'unknown'
  return parent.ds.length > 0 ? 'published' : 'absent'
}

interface Keys {
  readonly former: ZoneKey
  readonly next: ZoneKey
}

/** Returns which of two keys the parent has a DS of. */
export function parentKeys(parent: ParentDs | undefined, { former, next }: Keys): Rollover['parent'] {
  if (parent === undefined) return 'unknown'
  const has = ({ ds }: ZoneKey) => ds.some((each) => parent.ds.includes(each.toLowerCase()))
  if (has(next)) return has(former) ? 'both' : 'new'
  if (has(former)) return 'former'
  return parent.ds.length > 0 ? 'other' : 'none'
}
