import { checkedCondition, checkedConditions } from './conditions.ts'
import type { AccessConfig, LibraryConfig, StoredRule, StoredRuleset } from './config/model.ts'
import type { Webacl } from './context.ts'
import { type ConditionDraft, limits, type Rule, type RuleDraft, type RuleEdit } from './model.ts'
import { type Editable, editRules, loadOwner, type OwnerRequest } from './owner.ts'
import { ConditionNotFound, LibraryRuleFixed, RuleNotFound, TooMany } from './problems.ts'
import { completeRule, isShared, madeRule, referenceTo } from './library-rules.ts'
import { assertDistinct, hitsOf, idsOf, inOrder, rulesetOf, withRuleset } from './parts.ts'

type OfRuleset = OwnerRequest & { readonly id: string }

/** Lists the rules of a ruleset in their order. */
export async function listRules(on: Webacl, request: OfRuleset): Promise<{ rules: Rule[] }> {
  const owner = await loadOwner(on, request)
  const [config, library] = await Promise.all([on.configs.read(owner.id), on.configs.readLibrary()])
  const { rules } = rulesetOf(config, request.id)
  const report = await on.nginx.accessReport(owner.id)
  return {
    rules: rules.map((rule, index) => ({ ...show(rule, library, index), hits: hitsOf(report, rule.id) })),
  }
}

/** Adds a rule after the others of a ruleset. */
export function createRule(on: Webacl, request: OfRuleset, draft: RuleDraft) {
  return editRules(on, request, ({ owner, config, library, countries }) => {
    const ruleset = rulesetOf(config, request.id)
    if (ruleset.rules.length >= limits.rules) throw TooMany(`A ruleset has at most ${limits.rules} rules`)
    const taken = idsOf(owner, config)
    const rule = madeRule(draft, { config, library, countries, id: () => taken('r') })
    const changed = { ...ruleset, rules: [...ruleset.rules, rule] }
    assertDistinct(changed)
    return {
      config: { ...withRuleset(config, changed), next_id: taken.next() },
      summary: `Add the rule ${show(rule, library, 0).name} to the ruleset ${ruleset.name} of ${owner.username}`,
      reply: show(rule, library, ruleset.rules.length),
    }
  })
}

/** Changes the given fields of a rule; of a library rule, only whether it is evaluated. */
export function editRule(on: Webacl, request: OfRuleset, given: RuleEdit) {
  return editRules(on, request, ({ owner, config, library, countries }) => {
    const { rule, ruleset, index } = ruleOf(config, request.id)
    const { website_id: _, ...edit } = given
    if (isShared(rule) && (edit.name !== undefined || edit.conditions !== undefined))
      throw LibraryRuleFixed('name, conditions: belong to the library; only enabled can be set here')
    const conditions = edit.conditions && checkedConditions(edit.conditions, { config, countries })
    const changed = { ...rule, ...edit, conditions: conditions ?? rule.conditions }
    return {
      config: mapRules(config, (each) => (each.id === rule.id ? { ...each, ...changed } : each)),
      summary: `Change the rule ${show(changed, library, 0).name} of the ruleset ${ruleset.name} of ${owner.username}`,
      reply: show(changed, library, index),
    }
  })
}

/** Deletes a rule; a library rule is only taken out of the owner's rulesets. */
export function deleteRule(on: Webacl, request: OfRuleset) {
  return editRules(on, request, ({ owner, config, library }) => {
    const { rule } = ruleOf(config, request.id)
    const rulesets = config.rulesets.map((each) => ({
      ...each,
      rules: each.rules.filter(({ id }) => id !== rule.id),
    }))
    return {
      config: { ...config, rulesets },
      summary: `Delete the rule ${show(rule, library, 0).name} of ${owner.username}`,
      reply: { success: true as const },
    }
  })
}

/** Sets the order of the rules of a ruleset. */
export function reorderRules(on: Webacl, request: OfRuleset, ids: readonly string[]) {
  return editRules(on, request, ({ owner, config }) => {
    const ruleset = rulesetOf(config, request.id)
    return {
      config: withRuleset(config, { ...ruleset, rules: inOrder(ruleset.rules, ids) }),
      summary: `Reorder the rules of the ruleset ${ruleset.name} of ${owner.username}`,
      reply: { success: true as const },
    }
  })
}

/** Adds a condition to a rule; to a library rule, for all owners. */
export function createCondition(on: Webacl, request: OfRuleset, draft: ConditionDraft) {
  return editConditions(on, request, (conditions, editable) => {
    if (conditions.length >= limits.conditions)
      throw TooMany(`A rule has at most ${limits.conditions} conditions`)
    return { verb: 'Add a condition to', conditions: [...conditions, checkedCondition(draft, editable)] }
  })
}

/** Deletes a condition by its position; of a library rule, for all owners. */
export function deleteCondition(on: Webacl, request: OfRuleset, index: number) {
  return editConditions(on, request, (conditions) => {
    if (index >= conditions.length)
      throw ConditionNotFound(`index: the rule has ${conditions.length} conditions, counted from 0`)
    return { verb: 'Delete a condition of', conditions: conditions.toSpliced(index, 1) }
  })
}

interface Made {
  readonly verb: string
  readonly conditions: Rule['conditions']
}

/** The owner's rules come first, then the library. */
function editConditions(
  on: Webacl,
  request: OfRuleset,
  edit: (conditions: Rule['conditions'], editable: Editable) => Made,
) {
  return editRules(on, request, (editable) => {
    const { owner, config, library } = editable
    const shared = library.rules.find(({ id }) => id === request.id)
    if (shared !== undefined) {
      const { verb, conditions } = edit(shared.conditions, editable)
      const changed = { ...shared, conditions }
      return {
        library: { ...library, rules: library.rules.map((each) => (each === shared ? changed : each)) },
        summary: `${verb} the library rule ${shared.name}, for all owners`,
        reply: show(referenceTo(shared.id), { ...library, rules: [changed] }, 0),
      }
    }
    const { rule, index } = ruleOf(config, request.id)
    const { verb, conditions } = edit(rule.conditions, editable)
    const changed = { ...rule, conditions }
    return {
      config: mapRules(config, (each) => (each.id === rule.id ? changed : each)),
      summary: `${verb} the rule ${rule.name} of ${owner.username}`,
      reply: show(changed, library, index),
    }
  })
}

const show = (rule: StoredRule, library: LibraryConfig, position: number): Rule => ({
  ...completeRule(rule, library),
  position,
  source: isShared(rule) ? 'library' : 'own',
  hits: null,
})

interface FoundRule {
  readonly rule: StoredRule
  readonly ruleset: StoredRuleset
  readonly index: number
}

function ruleOf({ rulesets }: AccessConfig, id: string): FoundRule {
  for (const ruleset of rulesets) {
    const index = ruleset.rules.findIndex((rule) => rule.id === id)
    const rule = ruleset.rules[index]
    if (rule !== undefined) return { rule, ruleset, index }
  }
  throw RuleNotFound(`There is no rule ${id}`)
}

const mapRules = (config: AccessConfig, map: (rule: StoredRule) => StoredRule): AccessConfig => ({
  ...config,
  rulesets: config.rulesets.map((each) => ({ ...each, rules: each.rules.map(map) })),
})
