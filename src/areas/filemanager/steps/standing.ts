import type { StepState } from '../../../core/change.ts'
import type { FileStat, Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'

/** A place in a home, and what stood there: null where nothing did. */
export interface Standing {
  readonly path: TextPath
  readonly etag: string | null
}

/** What stands at a path; nothing also where it cannot be looked at, as the step itself then says so. */
export async function standing(owner: Owner, path: TextPath): Promise<FileStat | undefined> {
  return owner.stat(path).catch(() => undefined)
}

/** Notes what stands at a path before a step acts on it. */
export async function standingAt(owner: Owner, path: TextPath): Promise<Standing> {
  return { path, etag: (await standing(owner, path))?.etag ?? null }
}

const roundingMs = 2

/** Whether a copy took its place: it has the kind, the size and the time of what was copied. */
export function stateOfCopy(
  source: FileStat | undefined,
  before: Standing,
  now: FileStat | undefined,
): StepState {
  if ((now?.etag ?? null) === before.etag) return 'before'
  if (now === undefined || source === undefined || now.type !== source.type) return 'other'
  const isSameSize = now.type === 'folder' || now.size_bytes === source.size_bytes
  const isSameTime = Math.abs(Date.parse(now.modified_at) - Date.parse(source.modified_at)) <= roundingMs
  return isSameSize && isSameTime ? 'wanted' : 'other'
}
