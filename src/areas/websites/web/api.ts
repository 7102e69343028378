// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const websites = client<typeof endpoints>({
  readCreationLock: 'GET /settings/website-creation-lock',
  setCreationLock: 'POST /settings/website-creation-lock',
  listWebsites: 'GET /websites',
  createWebsite: 'POST /websites',
  listSiteDnsTemplates: 'GET /websites/dns-templates',
  getWebsite: 'GET /websites/{id}',
  editWebsite: 'PATCH /websites/{id}',
  deleteWebsite: 'DELETE /websites/{id}',
  listAliases: 'GET /websites/{id}/aliases',
  addAlias: 'POST /websites/{id}/aliases',
  removeAlias: 'DELETE /websites/{id}/aliases/{name}',
  cloneWebsite: 'POST /websites/{id}/clone',
  getDns: 'GET /websites/{id}/dns',
  readLogs: 'GET /websites/{id}/logs',
  followLogs: 'GET /websites/{id}/logs/events',
  suspendWebsite: 'POST /websites/{id}/suspend',
  unsuspendWebsite: 'POST /websites/{id}/unsuspend',
})
