import { buffer } from 'node:stream/consumers'
import { Problem, type ProblemKind } from '../../../core/problem.ts'
import { type FileStat, type Owner, ownerProblems } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'

/** A file that is about to be replaced, with its content if that can be kept. */
export interface ExistingFile {
  readonly stat: FileStat
  readonly bytes?: Buffer
  readonly notKept?: 'too_large' | 'unreadable'
}

/** Reads the file at a path; undefined if there is none. */
export async function readExisting(
  owner: Owner,
  path: TextPath,
  maxFileBytes: number,
): Promise<ExistingFile | undefined> {
  try {
    const { stat, stream } = await owner.read(path, { end: maxFileBytes })
    if (stat.size_bytes <= maxFileBytes) return { stat, bytes: await buffer(stream) }
    stream.destroy()
    return { stat, notKept: 'too_large' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (noFileProblems.has(error.kind)) return undefined
    if (!isUnreadable(error)) throw error
    const stat = await owner.stat(path).catch(() => undefined)
    return stat?.type === 'file' ? { stat, notKept: 'unreadable' } : undefined
  }
}

const { NoSuchFile, IsAFolder, NotAFolder, NotAFile, PathInvalid } = ownerProblems
const noFileProblems: ReadonlySet<ProblemKind> = new Set([
  NoSuchFile,
  IsAFolder,
  NotAFolder,
  NotAFile,
  PathInvalid,
])
const { NotPermitted, FileChanged, HelperFailed } = ownerProblems

/** Returns true for no permission, a change during the read, or a read error of the disk; false if the helper itself has ended. */
function isUnreadable({ kind, cause }: Problem): boolean {
  return kind === NotPermitted || kind === FileChanged || (kind === HelperFailed && cause === undefined)
}

interface Room {
  readonly maxBytes: number
  readonly maxFileBytes: number
}

/** Returns the leading paths up to and including the one whose content reaches the limit. Files that cannot be kept count as empty. */
export async function firstWithin(
  owner: Owner,
  paths: readonly TextPath[],
  { maxBytes, maxFileBytes }: Room,
): Promise<readonly TextPath[]> {
  const sizes = await Promise.all(
    paths.map(async (path) => (await owner.stat(path).catch(() => undefined))?.size_bytes ?? 0),
  )
  let left = maxBytes
  const end = sizes.findIndex((size) => {
    if (left <= 0) return true
    if (size <= maxFileBytes) left -= size
    return false
  })
  return end === -1 ? paths : paths.slice(0, end)
}
