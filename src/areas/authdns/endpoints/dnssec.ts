import { failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import * as dnssec from '../dnssec/dnssec.ts'
import { Dnssec, DnssecEnabled, RolloverStep } from '../dnssec/model.ts'
import { rollOver } from '../dnssec/rollover.ts'
import { ofBackend } from '../failures.ts'
import { Force, ZonePath } from '../model.ts'
import {
  AlreadySigned,
  ForceRequired,
  NotRolling,
  NotSigned,
  RollingAlready,
  RolloverInvalid,
  ZoneInvalid,
  ZoneNotFound,
} from '../problems.ts'

const ofZone = endpoint.with({ params: ZonePath })
const throws = failures(ofBackend, { not_found: ZoneNotFound })

export const readZoneDnssec = ofZone({
  method: 'GET',
  path: '/zones/{zone}/dnssec',
  summary: 'Read whether a zone is signed, its keys, and the DS for its parent',
  effect: 'reads',
  reply: data(Dnssec),
  throws: failures(throws, { bad_request: ZoneInvalid }),
  run: ({ authdns, params, now }) => dnssec.readDnssec(authdns, params.zone, now),
})

export const enableZoneDnssec = ofZone({
  method: 'POST',
  path: '/zones/{zone}/dnssec',
  summary: 'Sign a zone with a new key of algorithm 13, and return the DS for its parent',
  effect: 'changes',
  category: 'dns',
  reply: data(DnssecEnabled),
  throws: failures(throws, { bad_request: [ZoneInvalid, RecordsRefused], conflict: AlreadySigned }),
  run: ({ authdns, params }) => dnssec.enableDnssec(authdns, params.zone),
})

export const disableZoneDnssec = ofZone({
  method: 'DELETE',
  path: '/zones/{zone}/dnssec',
  summary: 'Remove the keys and signatures of a zone',
  description:
    'While the parent has a DS, resolvers that validate refuse every answer of a zone without signatures: it needs `force`, as does a parent that cannot be asked.',
  effect: 'destroys',
  category: 'dns',
  query: Force,
  reply: succeeded,
  throws: failures(throws, {
    bad_request: [ZoneInvalid, NotSigned, RecordsRefused],
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query }) => dnssec.disableDnssec(authdns, params.zone, query.force),
})

export const rollOverZoneKey = ofZone({
  method: 'POST',
  path: '/zones/{zone}/dnssec/rollover',
  summary: 'Take a step of replacing the key that signs a zone',
  description:
    'start adds a new key. Once `publish_from` of `GET …/dnssec` has passed, replace the DS in the parent zone and call ds_published. Once `finish_from` has passed, finish removes the former key. A step that comes too early, or whose DS the parent does not have, needs `force`.',
  effect: 'changes',
  category: local('each host draws keys of its own, and the parent has the DS of one'),
  query: Force,
  body: RolloverStep,
  reply: succeeded,
  throws: failures(throws, {
    bad_request: [ZoneInvalid, NotSigned, NotRolling, RolloverInvalid, RecordsRefused],
    conflict: RollingAlready,
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query, body, now }) =>
    rollOver(authdns, params.zone, { ...body, force: query.force, now }),
})
