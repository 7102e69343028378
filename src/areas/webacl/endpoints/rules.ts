import { failures, local } from '../../../core/endpoint.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { ofReading, ofWriting } from '../failures.ts'
import {
  ConditionPath,
  NewCondition,
  NewRule,
  OfRule,
  OfWebsite,
  Order,
  Rule,
  RuleEdit,
  RulePath,
  Rules,
  RulesetPath,
} from '../model.ts'
import {
  ConditionInvalid,
  ConditionNotFound,
  LibraryRuleFixed,
  OrderInvalid,
  RuleNotFound,
  RulesetNotFound,
  TooMany,
} from '../problems.ts'
import * as rules from '../rules.ts'

const category = local('the rules are those of websites of this host')
const ofRuleset = { not_found: RulesetNotFound }
const ofRule = { not_found: RuleNotFound }

export const listAccessRules = endpoint({
  method: 'GET',
  path: '/rulesets/{id}/rules',
  summary: 'List the rules of a ruleset in their order',
  effect: 'reads',
  params: RulesetPath,
  query: OfWebsite,
  reply: data(Rules),
  throws: failures(ofReading, ofRuleset),
  run: ({ webacl, params, query, caller }) => rules.listRules(webacl, { ...params, ...query, caller }),
})

export const createAccessRule = endpoint({
  method: 'POST',
  path: '/rulesets/{id}/rules',
  summary: 'Add a rule to a ruleset, with conditions of its own or from the library',
  effect: 'changes',
  category,
  params: RulesetPath,
  body: NewRule,
  reply: created(Rule),
  throws: failures(ofWriting, ofRuleset, ofRule, {
    bad_request: [ConditionInvalid, LibraryRuleFixed, OrderInvalid, TooMany],
  }),
  run: ({ webacl, params, body: { website_id, ...draft }, caller }) =>
    rules.createRule(webacl, { ...params, website_id, caller }, draft),
})

export const reorderAccessRules = endpoint({
  method: 'POST',
  path: '/rulesets/{id}/rules/reorder',
  summary: 'Set the order of the rules of a ruleset',
  effect: 'changes',
  category,
  params: RulesetPath,
  body: Order,
  reply: succeeded,
  throws: failures(ofWriting, ofRuleset, { bad_request: OrderInvalid }),
  run: ({ webacl, params, body, caller }) =>
    rules.reorderRules(webacl, { ...params, website_id: body.website_id, caller }, body.ids),
})

export const editAccessRule = endpoint({
  method: 'PUT',
  path: '/rules/{id}',
  summary: 'Change the given fields of a rule',
  effect: 'changes',
  category,
  params: RulePath,
  body: RuleEdit,
  reply: data(Rule),
  throws: failures(ofWriting, ofRule, { bad_request: [ConditionInvalid, LibraryRuleFixed] }),
  run: ({ webacl, params, body, caller }) =>
    rules.editRule(webacl, { ...params, website_id: body.website_id, caller }, body),
})

export const deleteAccessRule = endpoint({
  method: 'DELETE',
  path: '/rules/{id}',
  summary: 'Delete a rule; a library rule is taken out of the rulesets of the owner',
  effect: 'destroys',
  category,
  params: RulePath,
  query: OfWebsite,
  reply: succeeded,
  throws: failures(ofWriting, ofRule),
  run: ({ webacl, params, query, caller }) => rules.deleteRule(webacl, { ...params, ...query, caller }),
})

export const createAccessCondition = endpoint({
  method: 'POST',
  path: '/rules/{id}/conditions',
  summary: 'Add a condition to a rule; to a library rule, for all owners',
  effect: 'changes',
  category,
  params: RulePath,
  body: NewCondition,
  reply: created(Rule),
  throws: failures(ofWriting, ofRule, { bad_request: [ConditionInvalid, TooMany] }),
  run: ({ webacl, params, body: { website_id, ...draft }, caller }) =>
    rules.createCondition(webacl, { ...params, website_id, caller }, draft),
})

export const deleteAccessCondition = endpoint({
  method: 'DELETE',
  path: '/conditions/{index}',
  summary: 'Delete a condition of a rule by its position; of a library rule, for all owners',
  effect: 'destroys',
  category,
  params: ConditionPath,
  query: OfRule,
  reply: data(Rule),
  throws: failures(ofWriting, { not_found: [RuleNotFound, ConditionNotFound] }),
  run: ({ webacl, params: { index }, query: { website_id, rule_id }, caller }) =>
    rules.deleteCondition(webacl, { id: rule_id, website_id, caller }, index),
})
