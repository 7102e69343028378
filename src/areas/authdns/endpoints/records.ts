import { failures } from '../../../core/endpoint.ts'
import { created, data } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { Force, RecordsDraft, SimpleRecord, SimpleRemoval, ZoneChanged, ZonePath } from '../model.ts'
import { ForceRequired, RecordInvalid, RecordNotFound, ZoneInvalid, ZoneNotFound } from '../problems.ts'
import * as records from '../records/change.ts'

const changing = endpoint.with({
  category: 'dns',
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, RecordInvalid, RecordsRefused],
    not_found: ZoneNotFound,
    force_required: ForceRequired,
  }),
})

const rules =
  'A change of more than 30 % of a zone of ten or more sets, or of its own SOA or NS, needs `force=true`.'

export const patchDnsRecords = changing({
  method: 'PATCH',
  path: '/zones/{zone}/records',
  summary: 'Replace and remove record sets of a DNS zone, all at once',
  description: `All records of a name and type form a set. ${rules}`,
  effect: 'changes',
  bodyBytes: 16 * 1024 * 1024,
  params: ZonePath,
  query: Force,
  body: RecordsDraft,
  reply: data(ZoneChanged),
  run: ({ authdns, params, query, body }) =>
    records.patchRecords(authdns, params.zone, { ...body, ...query }),
})

export const addDnsRecord = changing({
  method: 'POST',
  path: '/zones/{zone}/records/simple',
  summary: 'Add a record to a DNS zone',
  description: `Other records of its name and type stay. ${rules}`,
  effect: 'changes',
  params: ZonePath,
  query: Force,
  body: SimpleRecord,
  reply: created(ZoneChanged),
  run: ({ authdns, params, query, body }) => records.addRecord(authdns, params.zone, body, query.force),
})

export const removeDnsRecord = changing({
  method: 'DELETE',
  path: '/zones/{zone}/records/simple',
  summary: 'Remove a record from a DNS zone, or all records of a name and type',
  effect: 'destroys',
  params: ZonePath,
  query: Force,
  body: SimpleRemoval,
  reply: data(ZoneChanged),
  throws: { not_found: RecordNotFound },
  run: ({ authdns, params, query, body }) => records.removeRecord(authdns, params.zone, body, query.force),
})
