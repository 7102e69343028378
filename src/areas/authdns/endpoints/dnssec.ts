import { failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import * as dnssec from '../dnssec/dnssec.ts'
import { Dnssec, DnssecEnabled, RolloverStep, Withdrawal } from '../dnssec/model.ts'
import { rollOver } from '../dnssec/rollover.ts'
import { withdrawDs } from '../dnssec/withdrawal.ts'
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
    'While resolvers may have a DS of the zone, those that validate refuse every answer without signatures. Without `force`, the parent must have no DS, and `remove_from` of `POST …/dnssec/withdrawal` must have passed.',
  effect: 'destroys',
  category: 'dns',
  query: Force,
  reply: succeeded,
  throws: failures(throws, {
    bad_request: [ZoneInvalid, NotSigned, RecordsRefused],
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query, caller, now }) =>
    dnssec.disableDnssec(authdns, params.zone, {
      force: query.force,
      isMirrored: caller.isMirrored === true,
      now,
    }),
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

export const withdrawZoneDs = ofZone({
  method: 'POST',
  path: '/zones/{zone}/dnssec/withdrawal',
  summary: 'Take a step of disabling DNSSEC: the DS goes before the keys',
  description:
    'While the parent has the DS, its TTL is noted; have the registrar remove it then. Called again once it is gone, `remove_from` says when the keys may be removed with `DELETE …/dnssec`. A parent that cannot be asked needs `force`.',
  effect: 'changes',
  category: local('each host has keys of its own, and the parent has the DS of one'),
  query: Force,
  reply: data(Withdrawal),
  throws: failures(throws, { bad_request: [ZoneInvalid, NotSigned], force_required: ForceRequired }),
  run: ({ authdns, params, query, now }) => withdrawDs(authdns, params.zone, { force: query.force, now }),
})
