import { pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Held, History } from './history.ts'
import type { ReplacingMany } from './keep.ts'

/** Keeps the files at the paths and returns how many were left out because there were too many. */
export type KeepMany = (paths: readonly TextPath[]) => Promise<{ readonly notKept: number }>

/**
 * Runs `work`, which replaces many files and calls `keep` once, just before. Each file has the guarantees of `replacingLate`: its version is
 * stored before it is replaced, no other request of the panel replaces it meanwhile, and versions of unreplaced files are deleted.
 * Contents beyond `maxBytes` in total are not kept.
 */
export async function replacingMany<Result>(
  history: History,
  replacing: ReplacingMany,
  maxBytes: number,
  work: (keep: KeepMany) => Promise<Result>,
): Promise<Result> {
  const held: Held[] = []
  const under: Under = { isOver: false }
  const keepEach: KeepMany = async (paths) => {
    let [left, notKept] = [maxBytes, 0]
    for (const some of inPieces(inLockOrder(paths), atOnce)) {
      if (under.isOver) break // the work ended while its files were being kept
      if (left <= 0) {
        notKept += some.length
        continue
      }
      const one = await history.hold(replacing, some, left)
      held.push(one)
      left -= one.keptBytes
      notKept += one.notKept
    }
    if (held.length > 0) await history.versionQuota.trim(replacing.files.userId)
    return { notKept }
  }
  try {
    const done = await work((paths) => (under.keeping = keepEach(paths)))
    await ended(under)
    for (const one of held) await one.replaced()
    return done
  } catch (error) {
    await ended(under)
    for (const one of held) await one.failed()
    throw error
  } finally {
    for (const one of held) one.free()
  }
}

/** Number of files that are read and stored together; their contents are in memory meanwhile. */
const atOnce = 8

interface Under {
  isOver: boolean
  keeping?: ReturnType<KeepMany>
}

// Work may fail, or claim to be done, while its files are still being kept. A failure in keeping either fails the work or comes too late for it.
async function ended(under: Under): Promise<void> {
  under.isOver = true
  await under.keeping?.catch(() => {})
}

// Locking in one global order avoids a deadlock between two requests that need some of the same files.
function inLockOrder(paths: readonly TextPath[]): readonly TextPath[] {
  const byBytes = new Map(
    paths.map((path) => [pathBytes(path).toString('latin1').replace(/\/$/, ''), path] as const),
  ) // a file that is named twice is locked once
  return [...byBytes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path)
}

function inPieces<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
