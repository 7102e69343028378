import type { Log } from '../../../core/endpoint.ts'
import type { Contents } from '../../../host/contents.ts'
import type { Store } from '../../../store/store.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import type { HistoryLimits } from './limits.ts'
import type { VersionQuota } from './version-quota.ts'
import { pathKeyOf, withText } from './path-key.ts'
import { type ExistingFile, readExisting } from './existing-file.ts'
import type { HeadRow, Through, VersionQueries, VersionRow } from './store.ts'

/** The dependencies of the history. */
export interface HistoryParts {
  readonly store: Store
  readonly queries: VersionQueries
  readonly contents: Contents
  readonly limits: HistoryLimits
  readonly log: Log
}

/** A file that is about to be replaced. */
export interface Replacing {
  readonly files: Files
  readonly path: TextPath
  /** The panel user to record; null if the panel itself makes the change. */
  readonly by: number | null
  readonly through: Through
  /** The new content, if it is in memory: identical content makes no version. */
  readonly content?: Uint8Array
}

/** Replacement of several files together. */
export type ReplacingMany = Omit<Replacing, 'path' | 'content'>

/** A stored version and the etag of the file it was made of. */
export interface Kept {
  readonly row: VersionRow
  readonly etag: string
}

/** Stores a version of the file at each path; none if the file does not exist or its content stays the same. */
export async function keepVersions(
  parts: HistoryParts,
  versionQuota: VersionQuota,
  { files, by, through }: ReplacingMany,
  paths: readonly TextPath[],
  content?: Uint8Array,
): Promise<ReadonlyMap<TextPath, Kept>> {
  const { nested } = files.owner // the work that replaces the files may be inside a call on this owner
  const found = await Promise.all(
    paths.map(async (path) => ({ path, one: await readExisting(nested, path, parts.limits.maxFileBytes) })),
  )
  const existing = found.flatMap(({ path, one }) =>
    one === undefined || (content && one.bytes?.equals(content)) ? [] : [{ path, ...one }],
  )
  if (existing.length === 0) return new Map()
  const rows = await versionQuota.add(files.userId, async () => {
    const replaced = { replaced_at: new Date().toISOString(), replaced_by: by, replaced_through: through }
    const described = await Promise.all(existing.map((one) => describe(parts, files, one)))
    return described.map((one) => ({ id: parts.store.nextId('file_versions'), ...one, ...replaced }))
  })
  return new Map(existing.map(({ path, stat }, at) => [path, { row: rows[at]!, etag: stat.etag }]))
}

type Described = Omit<VersionRow, 'id' | 'replaced_at' | 'replaced_by' | 'replaced_through'>

async function describe(
  parts: HistoryParts,
  files: Files,
  existing: ExistingFile & { readonly path: TextPath },
): Promise<Described> {
  const { stat, path } = existing
  const key = pathKeyOf(files, path)
  return {
    owner_id: files.userId,
    path: withText(key).path,
    path_bytes: key.pathBytes,
    size_bytes: stat.size_bytes,
    mode: Number.parseInt(stat.mode, 8),
    ...writtenBy(await parts.queries.head(key), existing),
    ...(await stored(parts, files, existing)),
  }
}

function writtenBy(
  head: HeadRow | undefined,
  { stat }: ExistingFile,
): Pick<VersionRow, 'written_at' | 'written_by' | 'written_through'> {
  if (head === undefined || !haveSameContent(head.etag, stat.etag))
    return { written_at: stat.modified_at, written_by: null, written_through: null }
  const { written_at, written_by, written_through } = head
  return { written_at, written_by, written_through }
}

// Two etags of the same content may differ in their last part, which also changes with the name and the mode.
function haveSameContent(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf('-')) === other.slice(0, other.lastIndexOf('-'))
}

async function stored(
  { contents, log }: HistoryParts,
  { userId, username }: Files,
  { bytes, notKept }: ExistingFile,
): Promise<Pick<VersionRow, 'sha256' | 'stored_bytes' | 'not_kept'>> {
  if (bytes === undefined) return { sha256: null, stored_bytes: 0, not_kept: notKept ?? null }
  try {
    const { sha256, storedBytes } = await contents.put(userId, bytes)
    return { sha256, stored_bytes: storedBytes, not_kept: null }
  } catch (error) {
    log.error({ err: error, username }, 'storing a version of a file failed')
    return { sha256: null, stored_bytes: 0, not_kept: 'no_room' }
  }
}
