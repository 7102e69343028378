// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const authdns = client<typeof endpoints>({
  readAuthdnsConfig: 'GET /authdns/config',
  setAuthdnsConfig: 'POST /authdns/config',
  readGeoState: 'GET /authdns/geo',
  installAuthdns: 'POST /authdns/install',
  readReplication: 'GET /authdns/replication',
  setReplication: 'POST /authdns/replication',
  listSmartRules: 'GET /authdns/smart-rules',
  createSmartRule: 'POST /authdns/smart-rules',
  simulateSmartRule: 'POST /authdns/smart-rules/simulate',
  editSmartRule: 'PUT /authdns/smart-rules/{id}',
  deleteSmartRule: 'DELETE /authdns/smart-rules/{id}',
  readAuthdnsStats: 'GET /authdns/stats',
  readAuthdnsStatus: 'GET /authdns/status',
  listDnsTemplates: 'GET /authdns/templates',
  createDnsTemplate: 'POST /authdns/templates',
  readDnsTemplate: 'GET /authdns/templates/{id}',
  replaceDnsTemplate: 'PUT /authdns/templates/{id}',
  deleteDnsTemplate: 'DELETE /authdns/templates/{id}',
  applyDnsTemplate: 'POST /authdns/templates/{id}/apply/{zone}',
  listDnsZones: 'GET /authdns/zones',
  createDnsZone: 'POST /authdns/zones',
  readDnsZone: 'GET /authdns/zones/{zone}',
  deleteDnsZone: 'DELETE /authdns/zones/{zone}',
  readZoneDnssec: 'GET /authdns/zones/{zone}/dnssec',
  enableZoneDnssec: 'POST /authdns/zones/{zone}/dnssec',
  disableZoneDnssec: 'DELETE /authdns/zones/{zone}/dnssec',
  exportDnsZone: 'POST /authdns/zones/{zone}/export',
  createGeoRecord: 'POST /authdns/zones/{zone}/geo-record',
  importDnsZone: 'POST /authdns/zones/{zone}/import',
  patchDnsRecords: 'PATCH /authdns/zones/{zone}/records',
  addDnsRecord: 'POST /authdns/zones/{zone}/records/simple',
  removeDnsRecord: 'DELETE /authdns/zones/{zone}/records/simple',
})
