// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const mailboxBackup = client<typeof endpoints>({
  downloadMailAttachment: 'GET /mailbox-backup/attachment/{email}/{attachId}',
  readMailboxSettings: 'GET /mailbox-backup/config',
  changeMailboxSettings: 'POST /mailbox-backup/config',
  excludeMailboxes: 'POST /mailbox-backup/exclude',
  readMailboxLog: 'GET /mailbox-backup/logs',
  listMailMessages: 'GET /mailbox-backup/messages/{email}',
  exportMailFolder: 'GET /mailbox-backup/messages/{email}/mbox',
  restoreMailMessages: 'POST /mailbox-backup/messages/{email}/restore',
  listMailAttachments: 'GET /mailbox-backup/messages/{email}/{msgId}/attachments',
  downloadMailMessage: 'GET /mailbox-backup/messages/{email}/{msgId}/download',
  runMailboxBackup: 'POST /mailbox-backup/run',
  scheduleMailboxBackup: 'POST /mailbox-backup/schedule',
  readMailboxStatus: 'GET /mailbox-backup/status',
  testIdentityProvider: 'POST /mailbox-backup/test-idp',
  testMailboxStore: 'POST /mailbox-backup/test-s3',
  listMailboxUsers: 'GET /mailbox-backup/users',
  readMailboxVerifications: 'GET /mailbox-backup/verifications',
  verifyMailboxBackups: 'POST /mailbox-backup/verify',
})
