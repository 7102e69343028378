// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const databases = client<typeof endpoints>({
  listDatabases: 'GET /databases',
  createDatabase: 'POST /databases',
  readDatabaseHost: 'GET /databases/mysql-host',
  associateSqlaltDatabase: 'POST /databases/sqlalt/admin/associate',
  listUnassociatedSqlaltDatabases: 'GET /databases/sqlalt/admin/unassociated',
  checkSqlaltName: 'GET /databases/sqlalt/check-name',
  deleteSqlaltDatabase: 'DELETE /databases/sqlalt/{id}',
  downloadSqlaltDump: 'GET /databases/sqlalt/{id}/download',
  exportSqlaltDatabase: 'POST /databases/sqlalt/{id}/export',
  importSqlaltDatabase: 'POST /databases/sqlalt/{id}/import',
  addSqlaltUser: 'POST /databases/sqlalt/{id}/users',
  removeSqlaltUser: 'DELETE /databases/sqlalt/{id}/users/{username}',
  resetSqlaltPassword: 'POST /databases/sqlalt/{id}/users/{username}/reset-password',
  deleteDatabase: 'DELETE /databases/{id}',
  downloadDump: 'GET /databases/{id}/download',
  duplicateDatabase: 'POST /databases/{id}/duplicate',
  exportDatabase: 'POST /databases/{id}/export',
  importDatabase: 'POST /databases/{id}/import',
  listDatabaseUsers: 'GET /databases/{id}/users',
  addDatabaseUser: 'POST /databases/{id}/users',
  removeDatabaseUser: 'DELETE /databases/{id}/users/{username}',
  resetDatabasePassword: 'POST /databases/{id}/users/{username}/reset-password',
  listDatabasesOfWebsite: 'GET /websites/{id}/databases',
  createDatabaseOfWebsite: 'POST /websites/{id}/databases',
})
