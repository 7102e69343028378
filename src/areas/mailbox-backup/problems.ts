import { problem } from '../../core/problem.ts'

export const SettingInvalid = problem('bad_request', 400, 'A setting of the mailbox backup is invalid')
export const MailboxMissing = problem('not_found', 404, 'There is no backup of this mailbox')
export const MessageMissing = problem('not_found', 404, 'There is no such message in this mailbox')
export const AttachmentMissing = problem('not_found', 404, 'There is no such attachment in this mailbox')
export const ContentFailed = problem(
  'storage_error',
  500,
  'The content cannot be read from where it is stored',
)
export const ArchiveFailed = problem('db_error', 500, 'The backup of the mailbox cannot be opened')
export const IdpFailed = problem('idp_error', 400, 'The identity provider refused the request')
export const RestoreInvalid = problem('bad_request', 400, 'The restore cannot be done as it is asked for')
export const FolderMissing = problem('not_found', 404, 'There are no such messages in this backup')
export const VerifiesAlready = problem('conflict', 409, 'The backups of mailboxes are being verified already')
export const RunsAlready = problem('conflict', 409, 'The mailboxes are being backed up already')
