// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const dnslb = client<typeof endpoints>({
  listAddresses: 'GET /dnslb/address-lists',
  writeAddresses: 'POST /dnslb/address-lists',
  deleteAddresses: 'DELETE /dnslb/address-lists/{name}',
  listBlockedNames: 'GET /dnslb/blocked-names',
  readConfig: 'GET /dnslb/config',
  writeConfig: 'POST /dnslb/config',
  listDomains: 'GET /dnslb/domain-lists',
  writeDomains: 'POST /dnslb/domain-lists',
  reorderDomains: 'POST /dnslb/domain-lists/reorder',
  deleteDomains: 'DELETE /dnslb/domain-lists/{name}',
  install: 'POST /dnslb/install',
  listPeers: 'GET /dnslb/multi-servers',
  addPeer: 'POST /dnslb/multi-servers',
  syncAllPeers: 'POST /dnslb/multi-servers/sync-all',
  deletePeer: 'DELETE /dnslb/multi-servers/{id}',
  syncPeer: 'POST /dnslb/multi-servers/{id}/sync',
  testPeer: 'POST /dnslb/multi-servers/{id}/test',
  restart: 'POST /dnslb/restart',
  listRules: 'GET /dnslb/rules',
  createRule: 'POST /dnslb/rules',
  reorderRules: 'POST /dnslb/rules/reorder',
  deleteRule: 'DELETE /dnslb/rules/{id}',
  listServers: 'GET /dnslb/servers',
  writeServer: 'POST /dnslb/servers',
  deleteServer: 'DELETE /dnslb/servers/{name}',
  start: 'POST /dnslb/start',
  readStats: 'GET /dnslb/stats',
  readStatus: 'GET /dnslb/status',
  stop: 'POST /dnslb/stop',
  replaceLists: 'POST /dnslb/sync-files',
})
