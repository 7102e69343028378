import type { Readable } from 'node:stream'
import type { ExtractLimits, ExtractNote, Looked, SortKey } from './confined/calls.ts'

export interface Entry {
  readonly name: string
  /** The name's bytes, if they are not UTF-8. */
  readonly name_b64?: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly size_bytes: number
  /** Four octal digits. */
  readonly mode: string
  readonly owner: string
  readonly group: string
  readonly modified_at: string
  readonly is_locked: boolean
  readonly link_target?: string
}

export interface FileStat extends Entry {
  readonly etag: string
}

export interface TrashItem {
  readonly id: string
  /** The original path. */
  readonly path: string
  readonly path_b64?: string
  readonly type: Entry['type']
  readonly size_bytes: number
  readonly deleted_at: string
}

export interface SearchMatch {
  readonly path: string
  readonly path_b64?: string
  readonly type: Entry['type']
  /** Number of the matching line, from 1, and its start. */
  readonly line?: number
  readonly text?: string
}

/** The entries of an archive, as far as it was read. */
export interface ArchiveEntries {
  readonly items: readonly ArchiveEntry[]
  /** All entries, also those that are not among the items, and the bytes that they unpack to. */
  readonly total: number
  readonly sizeBytes: number
  /** The reason why it was not read to its end. */
  readonly cutBy?: string
}
export interface ArchiveEntry {
  readonly path: string
  readonly path_b64?: string
  readonly type: 'file' | 'folder' | 'link'
  readonly size_bytes: number
  readonly modified_at: string
}

export interface ListOptions {
  readonly page?: number
  readonly perPage?: number
  readonly sort?: SortKey
  readonly descending?: boolean
  readonly showHidden?: boolean
  readonly foldersFirst?: boolean
  /** Part of a name, case-insensitive. */
  readonly search?: string | undefined
}
export interface WriteOptions {
  readonly ifMatch?: string
  readonly ifAbsent?: boolean
  readonly mode?: number
  readonly maxBytes?: number
  /** Runs after the last byte was sent, before the file moves to its destination. */
  readonly beforeTransfer?: () => Promise<void>
  readonly signal?: AbortSignal
}
export interface PlaceOptions {
  readonly overwrite?: boolean
  readonly into?: boolean
  readonly signal?: AbortSignal | undefined
  /** Receives the progress of a copy; a move copies only to another file system. */
  readonly onProgress?: (done: ExtractNote) => void
}
export interface ReadRange {
  readonly start?: number
  /** First byte not sent. */ readonly end?: number
}
export interface ReadResult {
  readonly stat: FileStat
  readonly start: number
  readonly end: number
  readonly stream: Readable
}
export interface ExtractOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: ExtractNote) => void
  readonly limits?: Partial<ExtractLimits>
  readonly replacing?: Replacing
}
/** The effect of unpacking; the paths are for display, the first of the files that it replaces. */
export type ArchiveLook = Looked
/** Saves the existing files before they are replaced. */
export interface Replacing {
  /** Files of equal size up to this limit are compared: a file with equal content is not reported. */
  readonly compareBytes: number
  /** Receives their paths, and the number of further files. Nothing is replaced before it resolves; an error ends the work. */
  keep(paths: readonly string[], further: number): Promise<void>
}
