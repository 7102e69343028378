import { problem } from '../../core/problem.ts'

export const NoSuchFile = problem('not_found', 404, 'No such file or folder')
export const NotPermitted = problem('forbidden', 403, 'The owner of the files may not do this')
export const AlreadyThere = problem('already_exists', 409, 'The destination already exists')
export const FolderNotEmpty = problem('conflict', 409, 'The folder is not empty')
export const NotAFolder = problem('bad_request', 400, 'It is not a folder')
export const IsAFolder = problem('bad_request', 400, 'It is a folder')
export const NotAFile = problem('bad_request', 400, 'It is neither a file nor a folder')
export const PathInvalid = problem('bad_request', 400, 'The path is invalid')
export const FileChanged = problem('conflict', 409, 'The file has changed: read it again and retry')
export { DiskFull } from '../../core/problem.ts'
export const ArchiveRefused = problem('bad_request', 400, 'The archive was rejected')
export const TooLarge = problem('payload_too_large', 413, 'It is too large')
export const ToolMissing = problem(
  'unavailable',
  503,
  'A program that this needs is not installed on the host',
)
export const NotLockable = problem('lock_failed', 500, 'The file could not be locked or unlocked')
export const HelperFailed = problem('server_error', 500, 'The file operation failed')
export const OwnerUnavailable = problem(
  'unavailable',
  503,
  'Files of hosting users are not accessible on this host',
)
