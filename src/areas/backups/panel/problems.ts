import { problem } from '../../../core/problem.ts'

export const BackupMissing = problem('not_found', 404, 'There is no such backup')
export const NameForbidden = problem(
  'forbidden',
  403,
  'filename: must be the name of a backup, without a folder',
)
export const UploadInvalid = problem('bad_request', 400, 'The file is no backup of the panel')
export const SaveFailed = problem('save_error', 500, 'The file could not be saved')
export const BackupFailed = problem('backup_failed', 500, 'The panel could not be backed up')
export const DeleteFailed = problem('delete_failed', 400, 'The backup could not be deleted')
export const PullFailed = problem('pull_failed', 500, 'The backups could not be fetched from S3')
export const RestoreFailed = problem('restore_failed', 500, 'The backup could not be restored')
export const PassphraseRequired = problem(
  'passphrase_required',
  400,
  'passphrase: is required, as the backup is encrypted',
)
