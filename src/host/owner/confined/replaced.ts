import { constants } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import type { ByteString, ReplacedFiles, ReplacedLimits } from './calls.ts'
import { local } from './paths.ts'

const mostPathBytes = 1024 * 1024
/** The limits that the panel may request; a longer path has no history. */
const longestPath = 4000
const chunkBytes = 256 * 1024

/** An entry of a complete tree, and its destination. */
export interface Move {
  readonly from: ByteString
  readonly to: ByteString
  /** True if a file exists at the destination, which is lost. */
  readonly replacesFile: boolean
}

/** The files whose content stays the same, each with an identity that distinguishes it from a successor at the same path. */
export type EqualFiles = ReadonlyMap<Move, string>

/** The files that moves replace by different content: named up to the limits, the rest counted. Files with equal content are not included. */
export async function replacedFiles(
  moves: readonly Move[],
  { maxFiles, compareBytes }: ReplacedLimits,
  beat: () => void,
): Promise<{ readonly replaced: ReplacedFiles; readonly equal: EqualFiles }> {
  const paths: ByteString[] = []
  const equal = new Map<Move, string>()
  let [further, pathBytes] = [0, 0]
  for (const move of moves) {
    beat()
    if (!move.replacesFile) continue
    const version = await versionAt(move.to)
    if (version !== undefined && (await areEqual(move, compareBytes))) {
      equal.set(move, version)
      continue
    }
    if (
      paths.length >= maxFiles ||
      move.to.length > longestPath ||
      pathBytes + move.to.length > mostPathBytes
    ) {
      further++
      continue
    }
    pathBytes += move.to.length
    paths.push(move.to)
  }
  return { replaced: { paths, further }, equal }
}

/** Changes whenever a path is replaced or written to. */
export async function versionAt(path: ByteString): Promise<string | undefined> {
  const found = await lstat(local(path), { bigint: true }).catch(() => undefined)
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
}

// A file that cannot be compared counts as different: its owner may lack read access, or is changing it.
async function areEqual({ from, to }: Move, mostBytes: number): Promise<boolean> {
  try {
    const [ours, theirs] = [await lstat(local(from)), await lstat(local(to))]
    if (!ours.isFile() || !theirs.isFile() || ours.size !== theirs.size || ours.size > mostBytes) return false
    await using one = await openFile(from)
    await using other = await openFile(to)
    return await haveSameBytes(one, other)
  } catch {
    return false
  }
}

function openFile(path: ByteString): Promise<FileHandle> {
  return open(
    local(path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  )
}

async function haveSameBytes(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [left, right] = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)]
  for (let at = 0; ;) {
    const [a, b] = [await one.read(left, 0, chunkBytes, at), await other.read(right, 0, chunkBytes, at)]
    if (a.bytesRead !== b.bytesRead || !left.subarray(0, a.bytesRead).equals(right.subarray(0, b.bytesRead)))
      return false
    if (a.bytesRead === 0) return true
    at += a.bytesRead
  }
}
