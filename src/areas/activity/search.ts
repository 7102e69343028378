import type { ActivityRow } from '../../changes/tables.ts'
import type { SearchQueue } from './search-queue.ts'
import type { ActivityQueries, EntryFilter } from './store.ts'

/** Reading this many entries takes a few milliseconds, during which other requests wait. */
const windowSize = 2000

/** The query: at most `limit` entries with ids below the cursor, or the newest ones without it. */
export interface Search {
  readonly filter: EntryFilter
  readonly cursor: number | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

/** Finds the newest matching entries, window by window, yielding to the event loop before each. */
export async function findEntries(
  queries: ActivityQueries,
  turn: SearchQueue['turn'],
  { filter, cursor = Infinity, limit, signal }: Search,
): Promise<readonly ActivityRow[]> {
  const bounds = await queries.bounds()
  const found: ActivityRow[] = []
  if (bounds === undefined) return found
  for (let to = Math.min(bounds.to, cursor - 1); to >= bounds.from; to -= windowSize) {
    await turn()
    signal.throwIfAborted()
    const window = { from: Math.max(bounds.from, to - windowSize + 1), to }
    found.push(...(await queries.within(filter, window, limit - found.length)))
    if (found.length === limit) return found
  }
  return found
}
