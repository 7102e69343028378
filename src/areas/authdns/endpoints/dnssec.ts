import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import * as dnssec from '../dnssec/dnssec.ts'
import { Dnssec, DnssecEnabled } from '../dnssec/model.ts'
import { ofBackend } from '../failures.ts'
import { Force, ZonePath } from '../model.ts'
import { AlreadySigned, ForceRequired, NotSigned, ZoneInvalid, ZoneNotFound } from '../problems.ts'

const ofZone = endpoint.with({ params: ZonePath })
const throws = failures(ofBackend, { not_found: ZoneNotFound })

export const readZoneDnssec = ofZone({
  method: 'GET',
  path: '/zones/{zone}/dnssec',
  summary: 'Read whether a zone is signed, its keys, and the DS for its parent',
  effect: 'reads',
  reply: data(Dnssec),
  throws: failures(throws, { bad_request: ZoneInvalid }),
  run: ({ authdns, params }) => dnssec.readDnssec(authdns, params.zone),
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
