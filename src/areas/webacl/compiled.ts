import type { AccessRules } from '../../tools/nginx/index.ts'
import { actionOf } from './action-options.ts'
import type { Resolved } from './resolved.ts'

/** Returns the rules that nginx evaluates: rulesets and rules that are not enabled are left out. */
export function rulesFor(
  owner: number,
  key: string,
  { groups, rulesets }: Resolved,
  countries: NonNullable<AccessRules['countries']>,
): AccessRules {
  return {
    countries,
    owner,
    key,
    groups: new Map(groups.map(({ name, entries }) => [name, entries])),
    rulesets: rulesets
      .filter(({ enabled }) => enabled)
      .map(({ id, action, action_options, combine, website_ids, rules }) => ({
        id,
        does: actionOf(action, action_options),
        combine,
        websiteIds: website_ids,
        rules: rules
          .filter((rule) => rule.enabled)
          .map((rule) => ({ id: rule.id, conditions: rule.conditions })),
      })),
  }
}
