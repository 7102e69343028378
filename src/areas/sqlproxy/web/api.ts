// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const sqlproxy = client<typeof endpoints>({
  setAdminPassword: 'POST /sqlproxy/admin-password',
  listSqlBackends: 'GET /sqlproxy/backends',
  addSqlBackend: 'POST /sqlproxy/backends',
  updateSqlBackend: 'PUT /sqlproxy/backends',
  removeSqlBackend: 'DELETE /sqlproxy/backends',
  limitSqlBackend: 'POST /sqlproxy/backends/max-connections',
  resetSqlBackend: 'POST /sqlproxy/backends/reset',
  installSqlproxy: 'POST /sqlproxy/install',
  disableSqlproxyKeepalived: 'POST /sqlproxy/keepalived/disable',
  setUpKeepalived: 'POST /sqlproxy/keepalived/setup',
  readKeepalivedStatus: 'GET /sqlproxy/keepalived/status',
  setMonitorUser: 'POST /sqlproxy/monitor-user',
  listQueryRules: 'GET /sqlproxy/query-rules',
  setReadWriteSplit: 'POST /sqlproxy/read-write-split',
  removeSqlproxy: 'POST /sqlproxy/remove',
  resetSqlproxyStats: 'POST /sqlproxy/reset-stats',
  restartSqlproxy: 'POST /sqlproxy/restart',
  startSqlproxy: 'POST /sqlproxy/start',
  readSqlproxyStats: 'GET /sqlproxy/stats',
  readSqlproxyStatus: 'GET /sqlproxy/status',
  stopSqlproxy: 'POST /sqlproxy/stop',
  setSqlproxyUser: 'POST /sqlproxy/users',
})
