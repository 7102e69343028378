import type { Problem, ProblemKind } from '../../core/problem.ts'
import type { Failure } from './confined/calls.ts'
import { fieldOf, type OwnerPath, shown, toBytes, visible } from './paths.ts'
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

// Maps, because the owner controls the code: `constructor` must not be found.
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
    EBUSY: NotPermitted,
    LOCKED: NotPermitted,
    CHANGED: FileChanged,
    ENOSPC: DiskFull,
    EDQUOT: DiskFull,
    REFUSED: ArchiveRefused,
    TOOLARGE: TooLarge,
    EFBIG: TooLarge,
    NOTOOL: ToolMissing,
  }),
)

const messagesByCode = new Map(
  Object.entries({
    ENOSPC: 'the disk that holds the home is full',
    EDQUOT: 'the disk quota of the account is used up',
    EROFS: 'the file system is read-only',
    EXDEV: 'it would cross to another file system',
    EBUSY: 'another file system is mounted there',
    LOCKED: 'it is locked: unlock it first',
    ELOOP: 'too many links',
    EAGAIN: 'the account has reached its process limit, or one of its processes uses the file',
  }),
)

const predicateByCode = new Map(
  Object.entries({
    ENOENT: 'does not exist',
    EEXIST: 'exists already',
    ENOTDIR: 'is not a folder, or is below something that is not a folder',
    EISDIR: 'is a folder',
    ENOTEMPTY: 'is not empty',
    NOTREGULAR: 'is neither a file nor a folder',
    CHANGED: 'has changed in the meantime: read it again',
  }),
)

/** Converts a failure of the helper to a Problem that names the field and the path; `sent` are the paths as the caller sent them. */
export function problemOf(failure: Failure, ...sent: readonly OwnerPath[]): Problem {
  const kind = kindsByCode.get(failure.code) ?? HelperFailed
  const where = placeOf(failure, sent)
  // A tool's message on a full disk names its own temporary file, which is of no use to the caller.
  const message = /No space left on device|Disk quota exceeded/.test(failure.why ?? '')
    ? ''
    : printable(failure.why ?? '')
  const why = message || messagesByCode.get(failure.code)
  const predicate = predicateByCode.get(failure.code)
  const text =
    why === undefined && predicate !== undefined
      ? `${where} ${predicate}`
      : `${where}: ${why ?? (kind === HelperFailed ? failure.code : kind.text)}`
  return failure.partly === undefined
    ? kind(text)
    : kind(`${text}. ${printable(failure.partly)}`, { fields: { is_partial: true } })
}

/** Cleans text controlled by the owner for use in a message. */
export function printable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 300)
}

// The path is shown as sent if the failure is about it; a path below it (in a recursive removal) or above it is shown itself.
function placeOf({ code, path }: Failure, sent: readonly OwnerPath[]): string {
  const [first = ''] = sent
  if (path === undefined) return shown(first)
  const found = bare(path)
  const candidates = sent.map((one) => ({ one, raw: rawOf(one), at: bare(rawOf(one)) }))
  const meant = code === 'EEXIST' ? candidates.slice(-1) : candidates // EEXIST is about the destination, the last path
  const exact = meant.find(({ raw }) => raw === path) ?? meant.find(({ at }) => at === found)
  if (exact !== undefined || found === '') return shown(exact?.one ?? first)
  const near =
    meant.find(({ at }) => `${found}/`.startsWith(at === '' ? '' : `${at}/`)) ??
    meant.find(({ at }) => at.startsWith(`${found}/`))
  return `${fieldOf(near?.one ?? first)}${visible(Buffer.from(found, 'latin1').toString('utf8'))}`
}

function rawOf(path: OwnerPath): string {
  try {
    return toBytes(path)
  } catch {
    return '' // the path was refused, and the failure says so
  }
}

function bare(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}
