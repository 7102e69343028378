import type { AccessConfig, AppliedConfig, LibraryConfig } from './config/model.ts'
import { completeRule } from './library-rules.ts'

/** What an owner's rules say, with the conditions of the library. */
export type Resolved = Pick<AppliedConfig, 'groups' | 'rulesets'>

/** Returns an owner's rules with the conditions that the library has now. */
export function resolved({ groups, rulesets }: AccessConfig, library: LibraryConfig): Resolved {
  return {
    groups,
    rulesets: rulesets.map((each) => ({
      ...each,
      rules: each.rules.map((rule) => completeRule(rule, library)),
    })),
  }
}

/** Names the groups that rules use and that do not exist, in a sentence each. */
export function missingGroups({ groups, rulesets }: Resolved): string[] {
  const names = new Set(groups.map(({ name }) => name))
  const missing = rulesets.flatMap((ruleset) =>
    ruleset.rules.flatMap((rule) =>
      rule.conditions
        .filter(({ operator, value }) => operator === 'in_group' && !names.has(value ?? ''))
        .map(({ value }) => `The rule "${rule.name}" of "${ruleset.name}" needs a group named "${value}"`),
    ),
  )
  return [...new Set(missing)].slice(0, 500)
}
