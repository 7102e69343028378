// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const authdns = client<typeof endpoints>({
  installAuthdns: 'POST /authdns/install',
  readAuthdnsStatus: 'GET /authdns/status',
  readAuthdnsStats: 'GET /authdns/stats',
  readAuthdnsConfig: 'GET /authdns/config',
  setAuthdnsConfig: 'POST /authdns/config',
  listDnsZones: 'GET /authdns/zones',
  createDnsZone: 'POST /authdns/zones',
  readDnsZone: 'GET /authdns/zones/{zone}',
  deleteDnsZone: 'DELETE /authdns/zones/{zone}',
  patchDnsRecords: 'PATCH /authdns/zones/{zone}/records',
  addDnsRecord: 'POST /authdns/zones/{zone}/records/simple',
  removeDnsRecord: 'DELETE /authdns/zones/{zone}/records/simple',
  exportDnsZone: 'POST /authdns/zones/{zone}/export',
  importDnsZone: 'POST /authdns/zones/{zone}/import',
  listDnsTemplates: 'GET /authdns/templates',
  createDnsTemplate: 'POST /authdns/templates',
  readDnsTemplate: 'GET /authdns/templates/{id}',
  replaceDnsTemplate: 'PUT /authdns/templates/{id}',
  deleteDnsTemplate: 'DELETE /authdns/templates/{id}',
  applyDnsTemplate: 'POST /authdns/templates/{id}/apply/{zone}',
})
