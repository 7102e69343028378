import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { Id } from '../../../core/schemas.ts'
import { failures } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { notLive } from '../failures.ts'
import * as model from '../model.ts'
import { OrderInvalid, PoolMissing, RuleInvalid, RuleMissing } from '../problems.ts'
import * as rules from '../rules.ts'

export const listRules = endpoint({
  method: 'GET',
  path: '/rules',
  summary: 'List the rules in the order in which they are evaluated',
  effect: 'reads',
  reply: data(model.Rules),
  run: ({ dnslb }) => rules.listRules(dnslb),
})

export const createRule = endpoint({
  method: 'POST',
  path: '/rules',
  summary: 'Add a rule on clients, domains or record types after the others',
  effect: 'changes',
  category: 'services',
  body: model.RuleDraft,
  reply: created(model.Rule),
  throws: failures(notLive, { bad_request: RuleInvalid, conflict: PoolMissing }),
  run: ({ body, dnslb }) => rules.createRule(dnslb, body),
})

export const reorderRules = endpoint({
  method: 'POST',
  path: '/rules/reorder',
  summary: 'Change the order in which rules are evaluated',
  effect: 'changes',
  category: 'services',
  body: model.RuleOrder,
  reply: succeeded,
  throws: failures(notLive, { bad_request: OrderInvalid }),
  run: ({ body, dnslb }) => rules.reorderRules(dnslb, body.order),
})

export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/rules/{id}',
  summary: 'Remove a rule',
  effect: 'destroys',
  category: 'services',
  params: Type.Object({ id: Id }),
  reply: succeeded,
  throws: failures(notLive, { not_found: RuleMissing }),
  run: ({ params, dnslb }) => rules.deleteRule(dnslb, params.id),
})
