import { checkedConditions, type Checking } from './conditions.ts'
import type { LibraryConfig, StoredRule } from './config/model.ts'
import type { RuleDraft } from './model.ts'
import { ConditionInvalid, LibraryRuleFixed, RuleNotFound } from './problems.ts'

interface Making extends Checking {
  readonly library: LibraryConfig
  readonly id: () => string
}

/** Returns a new rule, or a reference to one of the library; `at` is the place of the draft in the request. */
export function madeRule(draft: RuleDraft, { library, id, ...checking }: Making, at = ''): StoredRule {
  const { library: shared, name, enabled = true, conditions = [] } = draft
  if (shared !== undefined) {
    if (name !== undefined || draft.conditions !== undefined)
      throw LibraryRuleFixed(`${at}library: a library rule has its own name and conditions`)
    if (!library.rules.some((rule) => rule.id === shared))
      throw RuleNotFound(`${at}library: there is no library rule ${shared}`)
    return { ...referenceTo(shared), enabled }
  }
  if (name === undefined) throw ConditionInvalid(`${at}name: is required`)
  return {
    id: id(),
    name,
    enabled,
    conditions: checkedConditions(conditions, checking, at),
  }
}

/** Returns a use of a library rule. */
export const referenceTo = (id: string): StoredRule => ({ id, name: '', enabled: true, conditions: [] })

/** True for a rule that refers to the library. */
export const isShared = ({ id }: Pick<StoredRule, 'id'>): boolean => id.startsWith('lib:')

/** Returns a rule with the name and the conditions that it has, wherever they are stored. */
export function completeRule(rule: StoredRule, library: LibraryConfig): StoredRule {
  const shared = isShared(rule) ? library.rules.find(({ id }) => id === rule.id) : undefined
  return shared === undefined ? rule : { ...rule, name: shared.name, conditions: shared.conditions }
}
