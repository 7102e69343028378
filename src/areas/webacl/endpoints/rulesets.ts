import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { created, data, followed, succeeded } from '../../../core/reply.ts'
import { notTaken } from '../../../tools/nginx/index.ts'
import { applyRules } from '../apply.ts'
import { endpoint } from '../context.ts'
import { ofReading, ofWriting } from '../failures.ts'
import { readLibrary } from '../library/library.ts'
import {
  Applied,
  Library,
  OfWebsite,
  ofWebsite,
  Order,
  Pending,
  Ruleset,
  RulesetDraft,
  RulesetEdit,
  RulesetPath,
  Rulesets,
} from '../model.ts'
import { readPending } from '../pending.ts'
import {
  ConditionInvalid,
  LibraryRuleFixed,
  NotAppliable,
  OptionInvalid,
  OrderInvalid,
  ReplaysAlready,
  RequestRefused,
  RuleNotFound,
  RulesetNotFound,
  TooMany,
} from '../problems.ts'
import { ReplayDraft, ReplayEvent } from '../replay/model.ts'
import { draftReplay, replayEvent, replaying } from '../replay/work.ts'
import * as rulesets from '../rulesets.ts'
import { Simulation, SimulationDraft } from '../simulation-model.ts'
import { simulateRequest } from '../simulate.ts'
import { EditedByHand } from '../../../core/problem.ts'

const category = local('the rules are those of websites of this host')
const unknown = { not_found: RulesetNotFound }

export const listRulesets = endpoint({
  method: 'GET',
  path: '/rulesets',
  summary: "List the rulesets of a website's owner in the order of evaluation",
  effect: 'reads',
  query: OfWebsite,
  reply: data(Rulesets),
  throws: ofReading,
  run: ({ webacl, query, caller }) => rulesets.listRulesets(webacl, { ...query, caller }),
})

export const createRuleset = endpoint({
  method: 'POST',
  path: '/rulesets',
  summary: 'Add a ruleset, perhaps with rules',
  description: 'It is pending until it is applied.',
  effect: 'changes',
  category,
  body: RulesetDraft,
  reply: created(Ruleset),
  throws: failures(ofWriting, {
    not_found: RuleNotFound,
    bad_request: [ConditionInvalid, LibraryRuleFixed, OptionInvalid, OrderInvalid, TooMany],
  }),
  run: ({ webacl, body, caller }) =>
    rulesets.createRuleset(webacl, { website_id: body.website_id, caller }, body),
})

export const reorderRulesets = endpoint({
  method: 'POST',
  path: '/rulesets/reorder',
  summary: 'Set the order of the rulesets: the first that matches and ends the evaluation wins',
  effect: 'changes',
  category,
  body: Order,
  reply: succeeded,
  throws: failures(ofWriting, { bad_request: OrderInvalid }),
  run: ({ webacl, body, caller }) =>
    rulesets.reorderRulesets(webacl, { website_id: body.website_id, caller }, body.ids),
})

export const editRuleset = endpoint({
  method: 'PUT',
  path: '/rulesets/{id}',
  summary: 'Change the given fields of a ruleset',
  effect: 'changes',
  category,
  params: RulesetPath,
  body: RulesetEdit,
  reply: data(Ruleset),
  throws: failures(ofWriting, unknown, { bad_request: OptionInvalid }),
  run: ({ webacl, params, body, caller }) =>
    rulesets.editRuleset(webacl, { ...params, website_id: body.website_id, caller }, body),
})

export const deleteRuleset = endpoint({
  method: 'DELETE',
  path: '/rulesets/{id}',
  summary: 'Delete a ruleset with its rules',
  effect: 'destroys',
  category,
  params: RulesetPath,
  query: OfWebsite,
  reply: succeeded,
  throws: failures(ofWriting, unknown),
  run: ({ webacl, params, query, caller }) => rulesets.deleteRuleset(webacl, { ...params, ...query, caller }),
})

export const applyRuleset = endpoint({
  method: 'POST',
  path: '/rulesets/{id}/apply',
  summary: 'Make nginx evaluate all rules of the owner as they are now',
  description:
    'Also for a ruleset that was deleted since it was applied. nginx checks the result, loads it, and proves that it serves it; otherwise the former rules stay.',
  effect: 'changes',
  category,
  params: RulesetPath,
  query: Type.Object({
    overwrite: Type.Boolean({
      default: false,
      description: 'Replace files of websites that were edited by hand',
    }),
  }),
  body: Type.Object(ofWebsite),
  reply: data(Applied),
  throws: failures(ofWriting, unknown, {
    bad_request: NotAppliable,
    config_failed: notTaken,
    edited_by_hand: EditedByHand,
  }),
  timeoutMs: 300_000,
  run: ({ webacl, params, query, body, caller, now }) =>
    applyRules(webacl, { ...params, ...query, ...body, caller }, now),
})

export const replayRuleset = endpoint({
  method: 'POST',
  path: '/rulesets/{id}/replay',
  summary: 'Run recent access logs through a ruleset, as an event stream: what it would have done',
  description:
    'The log tells neither headers but User-Agent and Referer, nor cookies, bodies and request rates: requests that need them are undecidable. Leaving the stream does not end it; its job can be cancelled.',
  effect: 'changes',
  category,
  params: RulesetPath,
  body: ReplayDraft,
  reply: followed(replaying, ReplayEvent, replayEvent),
  throws: failures(ofReading, unknown, { bad_request: NotAppliable, already_running: ReplaysAlready }),
  run: ({ params, body }) => draftReplay(params.id, body),
})

export const readPendingRules = endpoint({
  method: 'GET',
  path: '/pending',
  summary: 'Show what apply would change',
  effect: 'reads',
  query: OfWebsite,
  reply: data(Pending),
  throws: ofReading,
  run: ({ webacl, query, caller, now }) => readPending(webacl, { ...query, caller }, now),
})

export const readAccessLibrary = endpoint({
  method: 'GET',
  path: '/library',
  summary: 'List the rules that all owners share, and ready rulesets',
  effect: 'reads',
  query: OfWebsite,
  reply: data(Library),
  throws: ofReading,
  run: ({ webacl, query, caller, now }) => readLibrary(webacl, { ...query, caller }, now),
})

export const simulateAccess = endpoint({
  method: 'POST',
  path: '/simulate',
  summary: 'Decide a request by the rules as they are now, applied or not',
  description:
    'nginx itself parses the request and evaluates the rules, without answering a visitor and without counting it.',
  effect: 'probes',
  body: SimulationDraft,
  reply: data(Simulation),
  throws: failures(ofReading, { bad_request: [OptionInvalid, NotAppliable, RequestRefused] }),
  run: ({ webacl, body, caller }) => simulateRequest(webacl, { website_id: body.website_id, caller }, body),
})
