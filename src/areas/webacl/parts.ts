import type { AccessReport } from '../../tools/nginx/index.ts'
import type { AccessConfig, StoredRuleset } from './config/model.ts'
import type { Owner } from './owner.ts'
import { OrderInvalid, RulesetNotFound } from './problems.ts'

/** Returns items in the order of their ids, each of which must be named once. */
export function inOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  ids: readonly string[],
): Item[] {
  const found = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
  if (found.length !== items.length || new Set(ids).size !== items.length || ids.length !== items.length)
    throw OrderInvalid(`ids: must name each of these once: ${items.map(({ id }) => id).join(', ')}`)
  return found
}

/** Returns a ruleset of an owner. */
export function rulesetOf({ rulesets }: AccessConfig, id: string): StoredRuleset {
  const ruleset = rulesets.find((each) => each.id === id)
  if (ruleset === undefined) throw RulesetNotFound(`There is no ruleset ${id}`)
  return ruleset
}

/** Replaces a ruleset. */
export const withRuleset = (config: AccessConfig, changed: StoredRuleset): AccessConfig => ({
  ...config,
  rulesets: config.rulesets.map((each) => (each.id === changed.id ? changed : each)),
})

/** A library rule is in a ruleset once. */
export function assertDistinct({ rules }: StoredRuleset): void {
  const ids = rules.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw OrderInvalid(`library: ${twice} is in the ruleset already`)
}

/** Returns what gives ids that no other owner has. */
export function idsOf(owner: Owner, { next_id }: Pick<AccessConfig, 'next_id'>) {
  let next = next_id
  const give = (kind: 's' | 'r') => `${kind}${owner.id}-${next++}`
  return Object.assign(give, { next: () => next })
}

/** Returns how often a ruleset or rule has matched; null if nginx does not tell. */
export function hitsOf(report: AccessReport | undefined, id: string): number | null {
  return report === undefined ? null : (report.hits.find((each) => each.id === id)?.hits ?? 0)
}
