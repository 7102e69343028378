// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const sitebackups = client<typeof endpoints>({
  listBackupProtection: 'GET /backups/websites',
  restoreWebapp: 'POST /settings/backup/webapp-restore',
  restoreAllWebapps: 'POST /settings/backup/webapp-restore-all',
  getWebappRestoreProgress: 'GET /settings/backup/webapp-restore-progress',
  scanWebapps: 'GET /settings/backup/webapp-scan',
  listWebsiteBackups: 'GET /websites/{id}/backups',
  backUpWebsite: 'POST /websites/{id}/backups',
  listBackupSets: 'GET /websites/{id}/backups/sets',
  saveBackupSet: 'POST /websites/{id}/backups/sets',
  deleteBackupSet: 'DELETE /websites/{id}/backups/sets/{name}',
  deleteWebsiteBackup: 'DELETE /websites/{id}/backups/{name}',
  restoreWebsiteBackup: 'POST /websites/{id}/backups/{name}/restore',
})
