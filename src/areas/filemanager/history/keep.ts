import type { Log } from '../../../core/endpoint.ts'
import type { Contents } from '../../../host/contents.ts'
import type { Store } from '../../../store/store.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { HistoryLimits } from './limits.ts'
import type { VersionQuota } from './version-quota.ts'
import { pathKeyOf, withText } from './path-key.ts'
import { type Standing, standingAt } from './standing.ts'
import type { HeadRow, Through, VersionQueries, VersionRow } from './store.ts'

/** What the history stands on. */
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
  /** The panel user who does it; null where it is nobody's doing. */
  readonly by: number | null
  readonly through: Through
  /** What is written, where it is at hand: the same content again makes no version. */
  readonly content?: Uint8Array
}

/** Files that are replaced together, by whom and through what. */
export type ReplacingMany = Omit<Replacing, 'path' | 'content'>

/** A version that was kept, and the etag of the file that stood there. */
export interface Kept {
  readonly row: VersionRow
  readonly etag: string
}

/** Makes a version of what stands at each path; none of a place where nothing does, or where the same content comes again. */
export async function keepVersions(
  parts: HistoryParts,
  versionQuota: VersionQuota,
  { files, by, through }: ReplacingMany,
  paths: readonly TextPath[],
  content?: Uint8Array,
): Promise<ReadonlyMap<TextPath, Kept>> {
  const { nested } = files.owner // whatever replaces the files may have begun its own call
  const found = await Promise.all(
    paths.map(async (path) => ({ path, one: await standingAt(nested, path, parts.limits.maxFileBytes) })),
  )
  const standing = found.flatMap(({ path, one }) =>
    one === undefined || (content && one.bytes?.equals(content)) ? [] : [{ path, ...one }],
  )
  if (standing.length === 0) return new Map()
  const rows = await versionQuota.add(files.userId, async () => {
    const replaced = { replaced_at: new Date().toISOString(), replaced_by: by, replaced_through: through }
    const described = await Promise.all(standing.map((one) => describe(parts, files, one)))
    return described.map((one) => ({ id: parts.store.nextId('file_versions'), ...one, ...replaced }))
  })
  return new Map(standing.map(({ path, stat }, at) => [path, { row: rows[at]!, etag: stat.etag }]))
}

type Described = Omit<VersionRow, 'id' | 'replaced_at' | 'replaced_by' | 'replaced_through'>

async function describe(
  parts: HistoryParts,
  files: Files,
  standing: Standing & { readonly path: TextPath },
): Promise<Described> {
  const { stat, path } = standing
  const key = pathKeyOf(files, path)
  return {
    owner_id: files.userId,
    path: withText(key).path,
    path_bytes: key.pathBytes,
    size_bytes: stat.size_bytes,
    mode: Number.parseInt(stat.mode, 8),
    ...writtenBy(await parts.queries.head(key), standing),
    ...(await stored(parts, files, standing)),
  }
}

function writtenBy(
  head: HeadRow | undefined,
  { stat }: Standing,
): Pick<VersionRow, 'written_at' | 'written_by' | 'written_through'> {
  if (head === undefined || !haveSameContent(head.etag, stat.etag))
    return { written_at: stat.modified_at, written_by: null, written_through: null }
  const { written_at, written_by, written_through } = head
  return { written_at, written_by, written_through }
}

// Two etags of one content may differ in their last part, which also changes with the name and the mode.
function haveSameContent(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf('-')) === other.slice(0, other.lastIndexOf('-'))
}

async function stored(
  { contents, log }: HistoryParts,
  { userId, username }: Files,
  { bytes, notKept }: Standing,
): Promise<Pick<VersionRow, 'sha256' | 'stored_bytes' | 'not_kept'>> {
  if (bytes === undefined) return { sha256: null, stored_bytes: 0, not_kept: notKept ?? null }
  try {
    const { sha256, storedBytes } = await contents.put(userId, bytes)
    return { sha256, stored_bytes: storedBytes, not_kept: null }
  } catch (error) {
    log.error({ err: error, username }, 'a version of a file could not be kept')
    return { sha256: null, stored_bytes: 0, not_kept: 'no_room' }
  }
}
