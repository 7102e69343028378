// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const logstore = client<typeof endpoints>({
  listLogExports: 'GET /logstore/exports',
  exportLogs: 'POST /logstore/exports',
  downloadLogExport: 'GET /logstore/exports/{filename}',
  groupLogs: 'POST /logstore/histogram',
  installLogstore: 'POST /logstore/install',
  countPreservedLogs: 'GET /logstore/preserved-count',
  readLogRetention: 'GET /logstore/retention',
  setLogRetention: 'PUT /logstore/retention',
  applyLogRetention: 'POST /logstore/retention/apply',
  listSavedSearches: 'GET /logstore/saved-searches',
  saveLogSearch: 'POST /logstore/saved-searches',
  deleteSavedSearch: 'DELETE /logstore/saved-searches/{id}',
  searchLogs: 'POST /logstore/search',
  listLogSources: 'GET /logstore/sources',
  createLogSource: 'POST /logstore/sources',
  editLogSource: 'PUT /logstore/sources/{id}',
  deleteLogSource: 'DELETE /logstore/sources/{id}',
  applyLogSource: 'POST /logstore/sources/{id}/apply',
  toggleLogSource: 'POST /logstore/sources/{id}/toggle',
  readLogstoreStats: 'GET /logstore/stats',
  readLogstoreStatus: 'GET /logstore/status',
  followLogs: 'GET /logstore/tail',
  uninstallLogstore: 'POST /logstore/uninstall',
})
