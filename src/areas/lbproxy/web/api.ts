// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const lbproxy = client<typeof endpoints>({
  listBackends: 'GET /lbproxy/backends',
  createBackend: 'POST /lbproxy/backends',
  duplicateBackend: 'POST /lbproxy/backends/duplicate',
  editBackend: 'PUT /lbproxy/backends/{name}',
  deleteBackend: 'DELETE /lbproxy/backends/{name}',
  createServer: 'POST /lbproxy/backends/{name}/servers',
  replaceServer: 'PUT /lbproxy/backends/{name}/servers/{server}',
  deleteServer: 'DELETE /lbproxy/backends/{name}/servers/{server}',
  listBackups: 'GET /lbproxy/backups',
  createBackup: 'POST /lbproxy/backups',
  scheduleBackups: 'POST /lbproxy/backups/auto',
  deleteBackup: 'DELETE /lbproxy/backups/{name}',
  restoreBackup: 'POST /lbproxy/backups/{name}/restore',
  listCertificates: 'GET /lbproxy/certificates',
  storeCertificate: 'POST /lbproxy/certificates',
  deleteCertificate: 'DELETE /lbproxy/certificates/{domain}',
  readConfig: 'GET /lbproxy/config',
  writeConfig: 'POST /lbproxy/config',
  listFrontends: 'GET /lbproxy/frontends',
  createFrontend: 'POST /lbproxy/frontends',
  editFrontend: 'PUT /lbproxy/frontends/{name}',
  deleteFrontend: 'DELETE /lbproxy/frontends/{name}',
  install: 'POST /lbproxy/install',
  reload: 'POST /lbproxy/reload',
  start: 'POST /lbproxy/start',
  readStats: 'GET /lbproxy/stats',
  readStatus: 'GET /lbproxy/status',
  stop: 'POST /lbproxy/stop',
  uninstall: 'POST /lbproxy/uninstall',
})
