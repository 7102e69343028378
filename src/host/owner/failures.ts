import type { Problem, ProblemKind } from '../../core/problem.ts'
import type { Failure } from './confined/calls.ts'
import {
  AlreadyThere,
  ArchiveRefused,
  DiskFull,
  FileChanged,
  FolderNotEmpty,
  HelperFailed,
  IsAFolder,
  NoSuchFile,
  NotAFile,
  NotAFolder,
  NotPermitted,
  PathInvalid,
  ToolMissing,
  TooLarge,
} from './problems.ts'

// Maps, because the code is the owner's word: `constructor` must not be found.
const kindsByCode = new Map<string, ProblemKind>(
  Object.entries({
    ENOENT: NoSuchFile,
    EACCES: NotPermitted,
    EPERM: NotPermitted,
    EROFS: NotPermitted,
    EEXIST: AlreadyThere,
    ENOTEMPTY: FolderNotEmpty,
    ENOTDIR: NotAFolder,
    EISDIR: IsAFolder,
    NOTREGULAR: NotAFile,
    ISLINK: NotAFile,
    ENXIO: NotAFile,
    BADPATH: PathInvalid,
    ENAMETOOLONG: PathInvalid,
    EINVAL: PathInvalid,
    ELOOP: PathInvalid,
    EXDEV: NotPermitted,
    CHANGED: FileChanged,
    ENOSPC: DiskFull,
    EDQUOT: DiskFull,
    REFUSED: ArchiveRefused,
    TOOLARGE: TooLarge,
    EFBIG: TooLarge,
    NOTOOL: ToolMissing,
  }),
)

const wordsByCode = new Map(
  Object.entries({
    ENOSPC: 'the disk that holds the home is full',
    EDQUOT: 'the disk quota of the account is used up',
    EROFS: 'the file system is read-only',
    EXDEV: 'it would cross to another file system',
    ELOOP: 'too many links',
  }),
)

/** Turns a failure of the confined program into a Problem; `sent` is the path as the caller sent it. */
export function problemOf(failure: Failure, sent: string): Problem {
  const kind = kindsByCode.get(failure.code) ?? HelperFailed
  const where = failure.path === undefined ? sent : within(sent, Buffer.from(failure.path, 'latin1').toString('utf8'))
  const why = printable(failure.why ?? '') || wordsByCode.get(failure.code) || (kind === HelperFailed ? failure.code : kind.text)
  return kind(`${where}: ${why}`)
}

/** Text of the owner's making, made fit for a message. */
export function printable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 300)
}

// The path as sent is shown where the failure is about it; a path below it (in a recursive removal) is shown itself.
function within(sent: string, found: string): string {
  const bare = sent.replace(/^\/+|\/+$/g, '')
  return found.replace(/\/+$/, '') === bare || found === '' ? sent : printable(found)
}
