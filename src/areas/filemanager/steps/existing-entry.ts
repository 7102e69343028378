import type { StepState } from '../../../core/change.ts'
import type { FileStat, Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'

/** A path in a home and the etag of its entry; null if there was none. */
export interface RecordedEntry {
  readonly path: TextPath
  readonly etag: string | null
}

/** Returns the entry at a path; undefined also if it cannot be read, because the step itself reports that error. */
export async function entryAt(owner: Owner, path: TextPath): Promise<FileStat | undefined> {
  return owner.stat(path).catch(() => undefined)
}

/** Records the entry at a path before a step acts on it. */
export async function recordEntry(owner: Owner, path: TextPath): Promise<RecordedEntry> {
  return { path, etag: (await entryAt(owner, path))?.etag ?? null }
}

const roundingMs = 2

/** Returns `wanted` if the copy is at its destination: it has the type, size and time of the source. */
export function stateOfCopy(
  source: FileStat | undefined,
  before: RecordedEntry,
  now: FileStat | undefined,
): StepState {
  if ((now?.etag ?? null) === before.etag) return 'before'
  if (now === undefined || source === undefined || now.type !== source.type) return 'other'
  const isSameSize = now.type === 'folder' || now.size_bytes === source.size_bytes
  const isSameTime = Math.abs(Date.parse(now.modified_at) - Date.parse(source.modified_at)) <= roundingMs
  return isSameSize && isSameTime ? 'wanted' : 'other'
}
