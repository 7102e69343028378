import { constants } from 'node:os'

/** A path or name as bytes, one character (0 to 255) each: JSON carries names that are not UTF-8, and nothing is decoded twice. */
export type ByteString = string

export interface EntryRow {
  readonly name: ByteString
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly mtimeMs: number
  readonly locked: boolean
  readonly target?: ByteString
}

export interface StatRow extends EntryRow {
  readonly etag: string
}

export interface ListCall {
  readonly op: 'list'
  readonly path: ByteString
  readonly offset: number
  readonly limit: number
  readonly sort: SortKey
  readonly descending: boolean
  readonly hidden: boolean
  readonly foldersFirst?: boolean
  /** Part of a name, case-insensitive; all entries if absent. */
  readonly search?: ByteString
}
export type SortKey = 'name' | 'type' | 'size_bytes' | 'modified_at'
export interface StatCall {
  readonly op: 'stat'
  readonly path: ByteString
}
export interface ReadCall {
  readonly op: 'read'
  readonly path: ByteString
  readonly start: number
  readonly end?: number
}
export interface WriteCall {
  readonly op: 'write'
  readonly path: ByteString
  readonly ifMatch?: string
  readonly ifAbsent: boolean
  readonly mode: number
  readonly maxBytes: number
}
export interface MkdirCall {
  readonly op: 'mkdir'
  readonly path: ByteString
  readonly recursive: boolean
  readonly mode: number
}
export interface RemoveCall {
  readonly op: 'remove'
  readonly paths: readonly ByteString[]
  readonly recursive: boolean
  readonly trash: boolean
}
export interface TrashCall {
  readonly op: 'trash'
  readonly offset: number
  readonly limit: number
}
export interface TrashRow {
  readonly id: string
  readonly path: ByteString
  readonly type: EntryRow['type']
  readonly size: number
  readonly deletedMs: number
}
export interface RestoreCall {
  readonly op: 'restore'
  readonly ids: readonly string[]
}
export interface EmptyCall {
  readonly op: 'empty'
  readonly ids?: readonly string[]
}
export interface MoveCall {
  readonly op: 'move'
  readonly from: ByteString
  readonly to: ByteString
  readonly overwrite: boolean
  readonly into: boolean
}
export interface CopyCall {
  readonly op: 'copy'
  readonly from: ByteString
  readonly to: ByteString
  readonly overwrite: boolean
  readonly into: boolean
}
export interface Copied {
  readonly entries: number
  readonly bytes: number
  /** Pipes, sockets and devices in a folder, which cannot be copied. */ readonly skipped: number
}
export interface ChmodCall {
  readonly op: 'chmod'
  readonly path: ByteString
  readonly mode: number
  readonly recursive: boolean
  /** With `recursive`: only folders, or only non-folders; both if absent. */
  readonly only?: 'files' | 'folders'
}
export interface DirsizeCall {
  readonly op: 'dirsize'
  readonly path: ByteString
}
export interface SearchCall {
  readonly op: 'search'
  readonly path: ByteString
  readonly query: ByteString
  readonly content: boolean
  readonly limit: number
  readonly matchCase: boolean
  /** True if the query is a pattern for the whole name. */
  readonly glob: boolean
  /** A pattern for the names of files whose content is searched. */
  readonly files?: ByteString
}
export interface FoundRow {
  readonly path: ByteString
  readonly type: EntryRow['type']
  readonly line?: number
  readonly text?: string
}
export interface CompressCall {
  readonly op: 'compress'
  readonly paths: readonly ByteString[]
  readonly archive: ByteString
  readonly format: ArchiveFormat
}
export type ArchiveFormat = 'zip' | '7z' | 'tar' | 'tar.gz' | 'tar.zst' | 'tar.xz'
export interface PackCall {
  readonly op: 'pack'
  readonly path: ByteString
  readonly format: 'zip' | 'tar' | 'tar.gz'
}
export interface ExtractCall {
  readonly op: 'extract'
  readonly archive: ByteString
  readonly dest: ByteString
  readonly limits: ExtractLimits
  /** Reports the files that it will replace and waits for the caller's confirmation first; without it nothing is reported. */
  readonly tells?: ReplacedLimits
}
/** Asks for the effect of unpacking without doing it. */
export interface LookCall {
  readonly op: 'look'
  readonly archive: ByteString
  readonly dest: ByteString
  readonly limits: ExtractLimits
}
/** The effect of unpacking: the number of files and folders created, and the number of existing ones replaced. */
export interface Looked {
  readonly bytes: number
  readonly files: number
  readonly folders: number
  readonly replacedFiles: number
  /** Links and other entries that are not files. */
  readonly replacedOthers: number
  /** The first of the files that it replaces. */
  readonly paths: readonly ByteString[]
}
/** Asks for the entries of an archive, whose content is read only where they cannot be found otherwise. */
export interface EntriesCall {
  readonly op: 'entries'
  readonly archive: ByteString
  readonly limits: ExtractLimits
  /** The number of entries that are named; the rest is counted. */
  readonly maxRows: number
  readonly maxMs: number
}
export interface ArchiveRow {
  readonly path: ByteString
  readonly type: 'file' | 'folder' | 'link'
  readonly size: number
  readonly mtimeMs: number
}
export interface ArchiveRows {
  readonly rows: readonly ArchiveRow[]
  /** All entries and bytes up to where reading ended. */
  readonly entries: number
  readonly bytes: number
  /** The reason why the archive was not read to its end. */
  readonly cutBy?: string
}
export interface ReplacedLimits {
  /** The number of files that are named; the rest is counted. */
  readonly maxFiles: number
  /** Files of equal size up to this limit are compared: a file with the same content does not count as replaced. */
  readonly compareBytes: number
}
/** The existing files that the archive would replace. */
export interface ReplacedFiles {
  readonly paths: readonly ByteString[]
  /** The number of further files. */
  readonly further: number
}
export interface ExtractLimits {
  readonly maxBytes: number
  readonly maxEntries: number
  readonly maxDepth: number
  readonly maxRatio: number
}
export interface ExtractNote {
  readonly entries: number
  readonly bytes: number
  readonly readBytes: number
  readonly archiveBytes: number
}

/** The reason why a call failed: an errno name or one of our own codes. */
export interface Failure {
  readonly code: string
  readonly path?: ByteString
  readonly why?: string
  /** A sentence on the work that was done before the failure; absent if there was none. */
  readonly partly?: string
}

/** A failure with a code of our own. */
export class Refusal extends Error {
  readonly code: string
  readonly path: ByteString | undefined
  readonly partly: string | undefined

  constructor(code: string, path?: ByteString, why = '', partly?: string) {
    super(why)
    this.code = code
    this.path = path
    this.partly = partly
  }
}

/** Converts any thrown value to the form that is sent. Node's messages contain paths, so only their code is sent. */
export function failureOf(error: unknown, path?: ByteString): Failure {
  if (error instanceof Refusal) {
    const partly = error.partly === undefined ? {} : { partly: error.partly.slice(0, 400) }
    return { code: error.code, why: error.message.slice(0, 400), ...at(error.path ?? path), ...partly }
  }
  const code = codeOf(error)
  return {
    code: code.slice(0, 40),
    ...at(path),
    ...(code === 'EIO' ? { why: String(error).slice(0, 200) } : {}),
  }
}

// Node has no name for EDQUOT: its code is then "Unknown system error -122".
function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return 'EIO'
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT'
  const code = String(error.code)
  return /^\w+$/.test(code) ? code : 'EIO'
}

/** Adds the path to the error of a system call: `await rename(a, b).catch(about(path))`. */
export function about(path: ByteString): (error: unknown) => never {
  return (error) => {
    const failure = failureOf(error, path)
    throw new Refusal(failure.code, failure.path, failure.why, failure.partly)
  }
}

/** Adds to a failure the work that was done before it. */
export function partly(message: string, path: ByteString): (error: unknown) => never {
  return (error) => {
    const failure = failureOf(error, path)
    throw new Refusal(failure.code, failure.path, failure.why, message)
  }
}

function at(path: ByteString | undefined): { path?: ByteString } {
  return path === undefined ? {} : { path }
}
