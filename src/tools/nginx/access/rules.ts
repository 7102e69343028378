import type { AddressRanges } from './country-file.ts'

/** One condition; an absent value of a request fulfils none, and `negate` then inverts. */
export interface AccessCondition {
  /** `ip`, `country`, `host`, `path`, `query`, `method`, `header:<name>`, `cookie:<name>`, `user_agent`, `referer` or `request_rate`. */
  readonly field: string
  readonly operator: string
  readonly value: string | null
  readonly negate: boolean
}

/** Conditions of which all must hold. */
export interface AccessRule {
  readonly id: string
  readonly conditions: readonly AccessCondition[]
}

/** What happens to a request that matches. */
export type AccessAction =
  | { readonly action: 'allow' | 'log' }
  | { readonly action: 'block'; readonly status: number; readonly page: string | null }
  | { readonly action: 'challenge'; readonly hours: number }
  | { readonly action: 'redirect'; readonly status: number; readonly url: string }
  /** Per minute and address. */
  | { readonly action: 'rate_limit'; readonly requests: number }

/** Rules with one action, for some websites of their owner or, without a list, for all. */
export interface AccessRuleset {
  readonly id: string
  readonly does: AccessAction
  readonly combine: 'any' | 'all'
  readonly websiteIds: readonly number[] | null
  readonly rules: readonly AccessRule[]
}

/** What one owner's websites obey, in its order. */
export interface AccessRules {
  readonly owner: number
  /** Signs the cookies of visitors who have passed a challenge. */
  readonly key: string
  readonly groups: ReadonlyMap<string, readonly string[]>
  /** The addresses of the countries that conditions name, by their codes; `*` is any country. */
  readonly countries?: ReadonlyMap<string, AddressRanges>
  readonly rulesets: readonly AccessRuleset[]
}
