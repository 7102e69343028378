import Type from 'typebox'
import { at, failures } from '../../../core/endpoint.ts'
import { StoreFailed } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { DiskFull } from '../../../host/files.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { NotServing, RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { ZonePath } from '../model.ts'
import {
  GeoUnavailable,
  RecordInvalid,
  RuleInvalid,
  RuleNotFound,
  RuleTaken,
  ZoneInvalid,
  ZoneNotFound,
} from '../problems.ts'
import { readGeo } from '../rules/geo.ts'
import * as model from '../rules/model.ts'
import * as rules from '../rules/rules.ts'

const invalid = [RuleInvalid, GeoUnavailable, RecordInvalid, RecordsRefused]
const applied = { config_failed: at(500, NotServing, ServiceFailed, DiskFull), db_error: StoreFailed }
const creating = failures(ofBackend, applied, {
  bad_request: [...invalid, ZoneInvalid],
  not_found: ZoneNotFound,
  conflict: RuleTaken,
})
const timeoutMs = 300_000

export const listSmartRules = endpoint({
  method: 'GET',
  path: '/smart-rules',
  summary: 'List the smart rules, or those of one zone',
  effect: 'reads',
  query: model.RuleQuery,
  reply: data(Type.Array(model.SmartRule, { maxItems: 100_000 })),
  throws: { bad_request: ZoneInvalid, db_error: StoreFailed },
  run: ({ authdns, query }) => rules.listRules(authdns, query.zone),
})

export const createSmartRule = endpoint({
  method: 'POST',
  path: '/smart-rules',
  summary: 'Add a smart rule: answers by country, by weight, or with a backup',
  description:
    'The rule becomes a LUA record of the zone. The first one restarts PowerDNS with the settings that such records need.',
  effect: 'changes',
  category: 'dns',
  body: model.RuleDraft,
  reply: created(model.RuleId),
  throws: creating,
  timeoutMs,
  run: ({ authdns, body, ...request }) => rules.createRule(authdns, body, request),
})

export const createGeoRecord = endpoint({
  method: 'POST',
  path: '/zones/{zone}/geo-record',
  summary: 'Add a record whose answer depends on the country of the client',
  effect: 'changes',
  category: 'dns',
  params: ZonePath,
  body: model.GeoRecord,
  reply: created(model.RuleId),
  throws: creating,
  timeoutMs,
  run: ({ authdns, params, body, ...request }) => rules.createGeoRecord(authdns, params.zone, body, request),
})

export const editSmartRule = endpoint({
  method: 'PUT',
  path: '/smart-rules/{id}',
  summary: 'Change a smart rule, or disable it; absent fields stay as they are',
  effect: 'changes',
  category: 'dns',
  params: model.RuleId,
  body: model.RuleEdit,
  reply: succeeded,
  throws: failures(ofBackend, applied, {
    bad_request: invalid,
    not_found: [RuleNotFound, ZoneNotFound],
  }),
  timeoutMs,
  run: ({ authdns, params, body, ...request }) => rules.editRule(authdns, params.id, body, request),
})

export const deleteSmartRule = endpoint({
  method: 'DELETE',
  path: '/smart-rules/{id}',
  summary: 'Remove a smart rule and its record',
  effect: 'destroys',
  category: 'dns',
  params: model.RuleId,
  reply: succeeded,
  throws: failures(ofBackend, { not_found: RuleNotFound, db_error: StoreFailed }),
  run: ({ authdns, params, ...request }) => rules.deleteRule(authdns, params.id, request),
})

export const simulateSmartRule = endpoint({
  method: 'POST',
  path: '/smart-rules/simulate',
  summary: 'Ask PowerDNS what it answers to a client with an address',
  description: 'Sends a query with the address as EDNS client subnet to the running server.',
  effect: 'probes',
  body: model.Simulation,
  reply: data(model.Simulated),
  throws: { bad_request: [RuleInvalid, RecordInvalid, ZoneInvalid], config_failed: NotServing },
  run: ({ authdns, body }) => rules.simulate(authdns, body),
})

export const readGeoState = endpoint({
  method: 'GET',
  path: '/geo',
  summary: 'Read whether rules by country are available, and the date of their file',
  effect: 'reads',
  reply: data(model.GeoState),
  run: ({ authdns, now }) => readGeo(authdns, now),
})
