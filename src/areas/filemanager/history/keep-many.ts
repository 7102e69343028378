import { pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Held, History } from './history.ts'
import type { ReplacingMany } from './keep.ts'

/** Keeps what stands at the paths, and tells at how many of them it did not look, as they were too many. */
export type KeepMany = (paths: readonly TextPath[]) => Promise<{ readonly notKept: number }>

/**
 * Lets `work` replace many files. It calls `keep` once, just before that, and what holds for one file (`replacingLate`) holds for each: the
 * versions are there before the files are replaced, nobody else in the panel replaces them meanwhile, and those of files that stay are forgotten.
 * Contents beyond `maxBytes` together are not kept.
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
    for (const some of inPieces(inOneOrder(paths), atOnce)) {
      if (under.isOver) break // the work failed while this went on
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

/** So many files are read and written down together; their contents are in memory meanwhile. */
const atOnce = 8

interface Under {
  isOver: boolean
  keeping?: ReturnType<KeepMany>
}

// Work may fail, or claim to be done, while its files are still being kept. What fails in keeping fails the work, or comes too late for it.
async function ended(under: Under): Promise<void> {
  under.isOver = true
  await under.keeping?.catch(() => {})
}

// Two that want some of the same files would wait for each other, if each took them in its own order.
function inOneOrder(paths: readonly TextPath[]): readonly TextPath[] {
  const byBytes = new Map(
    paths.map((path) => [pathBytes(path).toString('latin1').replace(/\/$/, ''), path] as const),
  ) // a file that is named twice has one turn
  return [...byBytes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path)
}

function inPieces<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
