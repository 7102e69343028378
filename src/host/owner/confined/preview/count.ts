import { lstatSync, opendirSync, type Dir, type Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { about, failureOf, type ByteString } from '../calls.ts'
import type { Counted } from './calls.ts'
import { join, local } from '../paths.ts'

/** Receives each entry of a tree. */
export interface Met {
  readonly path: ByteString
  readonly found: Stats
}

export interface Counting {
  /** Refuses an entry at which the work would stop. */
  readonly meet?: (met: Met) => void
  /** True if an unreadable folder is skipped instead of refused. */
  readonly passesClosed?: boolean
  /** Names that are left out with everything below them. */
  readonly leavesOut?: (name: ByteString, folder: ByteString) => boolean
}

/** The time limit of a count: a person waits for the preview. */
const momentMs = 1000
const turnMs = 10

/** Counts paths with everything below them, within a short time limit. No link is followed. */
export async function countTrees(
  paths: readonly ByteString[],
  counting: Counting,
  limitMs = momentMs,
): Promise<Counted> {
  const counted = { entries: 0, bytes: 0, isCut: false }
  const end = performance.now() + limitMs
  let since = performance.now()
  for (const path of paths)
    for (const met of named(path, counting)) {
      const now = performance.now()
      if (met === undefined || now > end) counted.isCut = true
      if (now > end) return counted
      if (now - since > turnMs) {
        await turn()
        since = performance.now()
      }
      if (met === undefined) continue
      counted.entries++
      if (met.found.isFile()) counted.bytes += met.found.size
    }
  return counted
}

/** A refusal without a path applies to the whole. */
function* named(path: ByteString, counting: Counting): Generator<Met | undefined> {
  try {
    for (const met of walk(path, counting)) {
      if (met !== undefined) counting.meet?.(met)
      yield met
    }
  } catch (error) {
    about(path)(error)
  }
}

/** Returns undefined for an entry that could not be examined. */
function* walk(path: ByteString, counting: Counting): Generator<Met | undefined> {
  const found = unlessGone(() => lstatSync(local(path)))
  if (found === undefined) return yield undefined
  yield { path, found }
  if (!found.isDirectory()) return
  const folder = opened(path, counting)
  if (folder === undefined) return yield undefined
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
      if (counting.leavesOut?.(entry.name, path) !== true) yield* walk(join(path, entry.name), counting)
  } finally {
    folder.closeSync()
  }
}

// Entry by entry: the names of a million entries exceed the memory of this process.
function opened(path: ByteString, { passesClosed = false }: Counting): Dir | undefined {
  try {
    return opendirSync(local(path), { encoding: 'latin1', bufferSize: 256 })
  } catch (error) {
    if (!passesClosed && failureOf(error).code === 'EACCES') about(path)(error)
    return undefined
  }
}

// Removed in the meantime, or deeper than PATH_MAX.
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (failureOf(error).code === 'ENOENT' || failureOf(error).code === 'ENAMETOOLONG') return undefined
    throw error
  }
}
