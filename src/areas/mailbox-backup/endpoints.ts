import { failures, local } from '../../core/endpoint.ts'
import { StoreFailed } from '../../core/problem.ts'
import { accepted, bytes, data, flat } from '../../core/reply.ts'
import { ObjectStoreFailed } from '../../tools/s3/index.ts'
import * as browse from './browse.ts'
import { endpoint } from './context.ts'
import { readLog } from './log.ts'
import { openMbox } from './mbox/mbox.ts'
import * as model from './model.ts'
import * as problems from './problems.ts'
import { ExportQuery, RestoreDraft } from './restore/model.ts'
import { orderedRestore, restoringMessages } from './restore/restore.ts'
import { runningBackup } from './run/run.ts'
import * as settings from './settings/settings.ts'
import { testIdp, testS3 } from './settings/tests.ts'
import { listUsers, readStatus } from './status.ts'
import { MailboxVerifications, VerifyDraft } from './verify/model.ts'
import { readVerifications, verifyingBackups } from './verify/verify.ts'

const ofThisHost = local('each host backs up mailboxes on its own')
const invalid = { bad_request: problems.SettingInvalid }
const unreadable = { db_error: StoreFailed }
const unopened = { db_error: [StoreFailed, problems.ArchiveFailed] }
const noMailbox = { not_found: problems.MailboxMissing }
const noMessage = { not_found: [problems.MailboxMissing, problems.MessageMissing] }
const noFolder = { not_found: [problems.MailboxMissing, problems.FolderMissing] }
const noAttachment = { not_found: [problems.MailboxMissing, problems.AttachmentMissing] }
const noContent = { storage_error: problems.ContentFailed }

export const readMailboxSettings = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read how mailboxes are backed up: the identity provider, the S3 server, the schedule',
  effect: 'reads',
  reply: data(model.MailboxSettings),
  throws: unreadable,
  run: ({ mailboxBackup }) => settings.readSettings(mailboxBackup),
})

export const changeMailboxSettings = endpoint({
  method: 'POST',
  path: '/config',
  summary: 'Set how mailboxes are backed up; fields that are left out stay as they are',
  description:
    'A retention_days that is left out is 365. Another directory and another S3 server need their secrets again. Backups in a former data_dir stay there and are not moved.',
  effect: 'changes',
  category: ofThisHost,
  body: model.MailboxSettingsDraft,
  reply: data(model.Done),
  throws: failures(invalid, unreadable),
  run: ({ mailboxBackup, body, caller }) => settings.changeSettings(mailboxBackup, body, caller),
})

export const excludeMailboxes = endpoint({
  method: 'POST',
  path: '/exclude',
  summary: 'Replace the list of mailboxes that are not backed up; their backups stay',
  description: 'Without excluded_users the list stays as it is.',
  effect: 'changes',
  category: ofThisHost,
  body: model.ExclusionDraft,
  reply: data(model.Exclusion),
  throws: unreadable,
  run: ({ mailboxBackup, body, caller }) => settings.excludeUsers(mailboxBackup, body, caller),
})

export const scheduleMailboxBackup = endpoint({
  method: 'POST',
  path: '/schedule',
  summary: 'Set when mailboxes are backed up: a cron expression in UTC, or empty for not on their own',
  effect: 'changes',
  category: ofThisHost,
  body: model.ScheduleDraft,
  reply: data(model.Schedule),
  throws: invalid,
  run: ({ mailboxBackup, body, caller }) => settings.setSchedule(mailboxBackup, body, caller),
})

export const testIdentityProvider = endpoint({
  method: 'POST',
  path: '/test-idp',
  summary: 'Test whether the panel can sign in to the identity provider and read a mailbox',
  effect: 'probes',
  body: model.IdpTest,
  reply: data(model.Tested),
  timeoutMs: 120_000,
  throws: failures(invalid, { idp_error: problems.IdpFailed }),
  run: ({ mailboxBackup, body, signal }) => testIdp(mailboxBackup, body, signal),
})

export const testMailboxStore = endpoint({
  method: 'POST',
  path: '/test-s3',
  summary: 'Test whether a bucket of an S3 server can be reached with an access key',
  effect: 'probes',
  body: model.S3Test,
  reply: data(model.Tested),
  throws: failures(invalid, { s3_error: ObjectStoreFailed }),
  run: ({ mailboxBackup, body, signal }) => testS3(mailboxBackup, body, signal),
})

export const runMailboxBackup = endpoint({
  method: 'POST',
  path: '/run',
  summary: 'Back up the mailboxes now, or some of them; a run that was interrupted goes on by itself',
  effect: 'changes',
  category: ofThisHost,
  body: model.RunDraft,
  reply: accepted(runningBackup),
  throws: failures(invalid, { conflict: problems.RunsAlready }),
  run: ({ body }) => body,
})

export const readMailboxStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether mailboxes are being backed up, how far each is, and the last runs',
  effect: 'reads',
  reply: data(model.MailboxStatus),
  run: ({ mailboxBackup }) => readStatus(mailboxBackup),
})

export const listMailboxUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the mailboxes of the directory, those that have a backup and those that are excluded',
  effect: 'reads',
  reply: data(model.MailboxUsers),
  timeoutMs: 120_000,
  run: ({ mailboxBackup, signal }) => listUsers(mailboxBackup, signal),
})

export const readMailboxLog = endpoint({
  method: 'GET',
  path: '/logs',
  summary: 'Read the last 100 lines of the log of the runs',
  effect: 'reads',
  reply: data(model.MailboxLog),
  run: ({ mailboxBackup }) => readLog(mailboxBackup),
})

export const listMailMessages = endpoint({
  method: 'GET',
  path: '/messages/{email}',
  summary: 'List the messages in the backup of a mailbox, the newest first, 50 to a page',
  effect: 'reads',
  params: model.OfMailbox,
  query: model.MessagesQuery,
  reply: flat(model.MailMessages),
  throws: failures(noMailbox, unopened),
  run: ({ mailboxBackup, params, query }) => browse.listMessages(mailboxBackup, params.email, query),
})

export const listMailAttachments = endpoint({
  method: 'GET',
  path: '/messages/{email}/{msgId}/attachments',
  summary: 'List the attachments of a message in the backup of a mailbox',
  effect: 'reads',
  params: model.OfMessage,
  reply: flat(model.MailAttachments),
  throws: failures(noMessage, unopened),
  run: ({ mailboxBackup, params }) => browse.listAttachments(mailboxBackup, params.email, params.msgId),
})

export const downloadMailMessage = endpoint({
  method: 'GET',
  path: '/messages/{email}/{msgId}/download',
  summary: 'Download a message as an .eml file, with the bytes that the mail server had',
  effect: 'reads',
  params: model.OfMessage,
  reply: bytes('message/rfc822'),
  throws: failures(noMessage, unopened, noContent),
  run: ({ mailboxBackup, params, signal }) => browse.openMessage(mailboxBackup, params, signal),
})

export const downloadMailAttachment = endpoint({
  method: 'GET',
  path: '/attachment/{email}/{attachId}',
  summary: 'Download an attachment from the backup of a mailbox',
  effect: 'reads',
  params: model.OfAttachment,
  reply: bytes('*/*'),
  throws: failures(noAttachment, unopened, noContent),
  run: ({ mailboxBackup, params, signal }) => browse.openAttachment(mailboxBackup, params, signal),
})

export const exportMailFolder = endpoint({
  method: 'GET',
  path: '/messages/{email}/mbox',
  summary: 'Download the messages of a folder in the backup of a mailbox as an mbox file',
  description: 'The oldest first, as mboxrd: lines that begin with From are quoted.',
  effect: 'reads',
  params: model.OfMailbox,
  query: ExportQuery,
  reply: bytes('application/mbox'),
  throws: failures(noFolder, unopened, noContent),
  run: ({ mailboxBackup, params, query, signal }) => openMbox(mailboxBackup, params.email, query, signal),
})

export const restoreMailMessages = endpoint({
  method: 'POST',
  path: '/messages/{email}/restore',
  summary: 'Restore messages or a folder from the backup of a mailbox into a mailbox',
  description:
    'They are put into a folder of their own; what that folder has already, by its Message-ID, is left out. The application needs Mail.ReadWrite and Mail-Advanced.ReadWrite.All.',
  effect: 'changes',
  category: ofThisHost,
  params: model.OfMailbox,
  body: RestoreDraft,
  reply: accepted(restoringMessages),
  throws: failures(unopened, {
    bad_request: [problems.SettingInvalid, problems.RestoreInvalid],
    not_found: [problems.MailboxMissing, problems.FolderMissing, problems.MessageMissing],
  }),
  run: ({ params, body }) => orderedRestore(params.email, body),
})

export const verifyMailboxBackups = endpoint({
  method: 'POST',
  path: '/verify',
  summary: 'Compare backups of mailboxes with their hashes, here and on S3, and with the mail server',
  effect: 'changes',
  category: ofThisHost,
  body: VerifyDraft,
  reply: accepted(verifyingBackups),
  throws: failures(invalid, { conflict: problems.VerifiesAlready }),
  run: ({ body }) => body,
})

export const readMailboxVerifications = endpoint({
  method: 'GET',
  path: '/verifications',
  summary: 'Read what the last verification has found about the backup of each mailbox',
  effect: 'reads',
  reply: data(MailboxVerifications),
  run: ({ mailboxBackup }) => readVerifications(mailboxBackup),
})
