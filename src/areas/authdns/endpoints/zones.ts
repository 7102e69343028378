import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { failures } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { Force, Zone, ZoneDraft, ZoneItem, ZonePath } from '../model.ts'
import { ForceRequired, RecordInvalid, ZoneInvalid, ZoneNotFound, ZoneTaken } from '../problems.ts'
import * as zones from '../zones.ts'

export const listDnsZones = endpoint({
  method: 'GET',
  path: '/zones',
  summary: 'List the DNS zones with serial, kind and DNSSEC',
  effect: 'reads',
  reply: data(Type.Array(ZoneItem, { maxItems: 1_000_000 })),
  throws: ofBackend,
  run: ({ authdns }) => zones.listZones(authdns),
})

export const createDnsZone = endpoint({
  method: 'POST',
  path: '/zones',
  summary: 'Create a DNS zone',
  description:
    'With an SOA, its name servers, and the record sets that are given. A Slave is transferred from its masters.',
  effect: 'changes',
  category: 'dns',
  body: ZoneDraft,
  reply: created(ZoneItem),
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, RecordInvalid, RecordsRefused],
    conflict: ZoneTaken,
  }),
  run: ({ authdns, body }) => zones.createZone(authdns, body),
})

export const readDnsZone = endpoint({
  method: 'GET',
  path: '/zones/{zone}',
  summary: 'Read a DNS zone with its record sets',
  effect: 'reads',
  params: ZonePath,
  reply: data(Zone),
  throws: failures(ofBackend, { bad_request: ZoneInvalid, not_found: ZoneNotFound }),
  run: ({ authdns, params }) => zones.readZone(authdns, params.zone),
})

export const deleteDnsZone = endpoint({
  method: 'DELETE',
  path: '/zones/{zone}',
  summary: 'Remove a DNS zone with all its records',
  effect: 'destroys',
  category: 'dns',
  params: ZonePath,
  query: Force,
  reply: succeeded,
  throws: failures(ofBackend, {
    bad_request: ZoneInvalid,
    not_found: ZoneNotFound,
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query }) => zones.deleteZone(authdns, params.zone, query.force),
})
