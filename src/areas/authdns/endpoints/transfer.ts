import { failures } from '../../../core/endpoint.ts'
import { data } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { Force, ZoneChanged, ZoneExport, ZoneImport, ZonePath } from '../model.ts'
import { ForceRequired, RecordInvalid, ZoneFileInvalid, ZoneInvalid, ZoneNotFound } from '../problems.ts'
import * as transfer from '../transfer.ts'

export const exportDnsZone = endpoint({
  method: 'POST',
  path: '/zones/{zone}/export',
  summary: 'Return a DNS zone as a zone file',
  effect: 'probes',
  params: ZonePath,
  reply: data(ZoneExport),
  throws: failures(ofBackend, { bad_request: ZoneInvalid, not_found: ZoneNotFound }),
  run: ({ authdns, params }) => transfer.exportZone(authdns, params.zone),
})

export const importDnsZone = endpoint({
  method: 'POST',
  path: '/zones/{zone}/import',
  summary: 'Import a zone file into a DNS zone, creating it if needed',
  description:
    'Record sets of the file replace those of the same name and type; with `replace`, all others are removed. A change of more than 30 % of a zone of ten or more sets, or of its own SOA or NS, needs `force=true`.',
  effect: 'changes',
  category: 'dns',
  timeoutMs: 300_000,
  bodyBytes: 32 * 1024 * 1024,
  params: ZonePath,
  query: Force,
  body: ZoneImport,
  reply: data(ZoneChanged),
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, ZoneFileInvalid, RecordInvalid, RecordsRefused],
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query, body }) => transfer.importZone(authdns, params.zone, { ...body, ...query }),
})
