import { createHash } from 'node:crypto'
import type { RowWrite } from '../../core/change.ts'
import { type Lock, lock } from '../../core/lock.ts'
import type { RuledOwner } from '../../tools/nginx/index.ts'
import type { Websites } from './context.ts'
import { type Loaded, locksOf, served } from './site.ts'
import { websiteAccess } from './store.ts'

const shares = 64
const accessLock = lock<[userId: number, share: number]>('access rules')

/** Held while an owner gets access rules: what each website serves depends on them. */
const accessLocks = (userId: number): readonly Lock[] =>
  Array.from({ length: shares }, (_, share) => accessLock(userId, share))

/** Held while an owner gets a website: no rules are applied meanwhile, but most other websites can be created. */
export const accessLockOf = (userId: number, domain: string): Lock =>
  accessLock(userId, createHash('sha256').update(domain).digest().readUInt8() % shares)

/** The websites of an owner as nginx serves them under access rules or without. */
export interface SitesUnderRules {
  readonly sites: readonly { readonly domain: string; readonly content: string }[]
  /** Every owner with rules, afterwards. */
  readonly owners: readonly RuledOwner[]
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
}

/** Returns what gives an owner's websites access rules, or takes them away with undefined. */
export async function sitesUnderRules(
  on: Websites,
  userId: number,
  rules: Omit<RuledOwner, 'owner'> | undefined,
): Promise<SitesUnderRules> {
  const sites = (await on.queries.all()).filter(({ user_id }) => user_id === userId)
  const others = (await ruledOwners(on)).filter(({ owner }) => owner !== userId)
  return {
    sites: sites.map((site) => contentOf(on, { ...site, hasAccessRules: rules !== undefined })),
    owners: rules === undefined ? others : [...others, { owner: userId, ...rules }],
    locks: [...accessLocks(userId), ...locksOf(sites.flatMap(({ domain, aliases }) => [domain, ...aliases]))],
    rows: [
      websiteAccess.delete({ user_id: userId }),
      ...(rules === undefined
        ? []
        : [
            websiteAccess.insert(
              websiteAccess.row({ user_id: userId, digest: rules.digest, is_closed: rules.isClosed }),
            ),
          ]),
    ],
  }
}

/** Returns the owners whose websites obey access rules. */
export async function ruledOwners({ queries }: Pick<Websites, 'queries'>): Promise<readonly RuledOwner[]> {
  return (await queries.access()).map(({ user_id, digest, is_closed }) => ({
    owner: user_id,
    digest,
    isClosed: is_closed === 1,
  }))
}

const contentOf = (on: Websites, site: Loaded) => ({
  domain: site.domain,
  content: on.nginx.renderSite(served(on, site)),
})
