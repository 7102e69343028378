// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const sitebackups = client<typeof endpoints>({
  listBackupDrills: 'GET /backups/drills',
  getDrillKey: 'GET /backups/drills/key',
  getDrillSettings: 'GET /backups/drills/settings',
  saveDrillSettings: 'POST /backups/drills/settings',
  listBackupProtection: 'GET /backups/websites',
  restoreWebapp: 'POST /settings/backup/webapp-restore',
  restoreAllWebapps: 'POST /settings/backup/webapp-restore-all',
  getWebappRestoreProgress: 'GET /settings/backup/webapp-restore-progress',
  scanWebapps: 'GET /settings/backup/webapp-scan',
  listWebsiteBackups: 'GET /websites/{id}/backups',
  backUpWebsite: 'POST /websites/{id}/backups',
  drillWebsiteBackup: 'POST /websites/{id}/backups/drill',
  listDrillsOfWebsite: 'GET /websites/{id}/backups/drills',
  getDrillReport: 'GET /websites/{id}/backups/drills/{drill_id}/report',
  listBackupSets: 'GET /websites/{id}/backups/sets',
  saveBackupSet: 'POST /websites/{id}/backups/sets',
  deleteBackupSet: 'DELETE /websites/{id}/backups/sets/{name}',
  deleteWebsiteBackup: 'DELETE /websites/{id}/backups/{name}',
  restoreWebsiteBackup: 'POST /websites/{id}/backups/{name}/restore',
})
