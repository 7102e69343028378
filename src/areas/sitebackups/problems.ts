import { problem } from '../../core/problem.ts'

export const BackupUnknown = problem('not_found', 404, 'The website has no such backup')
export const SetUnknown = problem('not_found', 404, 'The website has no such set')
export const SetInvalid = problem('bad_request', 400, 'The set is not valid')
export const PointUnknown = problem('bad_request', 400, 'There is no such set or point in time')
export const PassphraseRequired = problem(
  'passphrase_required',
  400,
  'The backup is encrypted: enter its passphrase',
)
export const S3Failed = problem('s3_error', 400, 'The object storage did not give the backup')
export const BackingUpAlready = problem('already_running', 409, 'A backup of this website is being made')
export const RestoringAlready = problem('already_running', 409, 'A restore of this website is running')
export const BulkRunning = problem('already_running', 409, 'A restore of all websites is running')
export const NoBackups = problem('no_backups', 200, 'There is no backup of a website')
export const StillNeeded = problem('conflict', 409, 'Later backups of its chain need this one')
export const BackupDamaged = problem('bad_request', 400, 'The backup is damaged')
export const KeyMissing = problem('conflict', 409, 'Backups are to be encrypted, and there is no key')
