// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const backups = client<typeof endpoints>({
  readBackupSettings: 'GET /settings/backup',
  changeBackupSettings: 'POST /settings/backup',
  disableEncryption: 'POST /settings/backup/disable-encryption',
  generateKey: 'POST /settings/backup/generate-key',
  getKey: 'POST /settings/backup/get-key',
  testS3: 'POST /settings/backup/test-s3',
  listPanelBackups: 'GET /system/backup',
  createPanelBackup: 'POST /system/backup',
  downloadPanelBackup: 'GET /system/backup/download/{filename}',
  pullPanelBackups: 'POST /system/backup/pull-s3',
  restorePanelBackup: 'POST /system/backup/restore/{filename}',
  uploadPanelBackup: 'POST /system/backup/upload',
  deletePanelBackup: 'DELETE /system/backup/{filename}',
})
