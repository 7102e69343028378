import { Readable } from 'node:stream'
import { pruneActivity, type Verification, verifyActivity } from '../../changes/activity.ts'
import { forgetOldWork } from '../../changes/retention.ts'
import type { ActivityRow } from '../../changes/tables.ts'
import { area } from '../../core/area.ts'
import { RateLimited } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'
import { findEntries, type Search } from './search.ts'
import { openSearchQueue } from './search-queue.ts'
import { activityQueries, type EntryFilter } from './store.ts'

const exportBatch = 1000

/** The caller and filter of one page of entries. */
interface PageQuery {
  readonly callerId: number
  readonly filter: EntryFilter
  readonly cursor: number | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

/** Opens the area on the hash chain that the executor writes. */
export function openActivity({ store }: Deps) {
  const queries = activityQueries(store)
  const queue = openSearchQueue()
  const exporting = new Map<number, object>()
  const findAll = (search: Search) => findEntries(queries, queue.turn, search)
  return {
    page: async ({ callerId, limit, ...search }: PageQuery) => {
      const find = () => findAll({ ...search, limit: limit + 1 })
      const rows = await (isFiltered(search.filter) ? queue.run(callerId, find) : find()) // the newest page reads one window
      const items = rows.slice(0, limit).map(showEntry)
      return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
    },
    /** Returns all matching entries, newest first, as JSON lines; one export per caller at a time. */
    lines: (callerId: number, filter: EntryFilter, signal: AbortSignal): Readable => {
      const end = beginExport(exporting, callerId)
      const find = (cursor?: number) => findAll({ filter, cursor, limit: exportBatch, signal })
      return Readable.from(batchesOf(find, end)).once('close', end) // a stream that was never read has not started its generator
    },
    verify: (signal: AbortSignal): Promise<Verification> => verifyActivity(store, signal),
    prune: (): Promise<number> => pruneActivity(store, store.trustedNow()),
    forgetOldChanges: (): Promise<number> => forgetOldWork(store, store.trustedNow()),
  }
}

const isFiltered = (filter: EntryFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '')

/** Reserves the caller's export; the returned function releases it, and may be called more than once. */
function beginExport(exporting: Map<number, object>, callerId: number): () => void {
  if (exporting.has(callerId))
    throw RateLimited('Your last export is still running: wait until it ends', { fields: { retry_after: 5 } })
  const mark = {}
  exporting.set(callerId, mark)
  return () => void (exporting.get(callerId) === mark && exporting.delete(callerId))
}

async function* batchesOf(
  find: (cursor?: number) => Promise<readonly ActivityRow[]>,
  end: () => void,
): AsyncGenerator<string> {
  try {
    for (let cursor: number | undefined; ;) {
      const rows = await find(cursor)
      if (rows.length > 0)
        yield rows.map((row) => `${JSON.stringify({ ...showEntry(row), hash: row.hash })}\n`).join('')
      if (rows.length < exportBatch) return
      cursor = rows.at(-1)?.id
    }
  } finally {
    end()
  }
}

function showEntry({ hash: _hash, change_id: _change, request, ...row }: ActivityRow) {
  return { ...row, request: JSON.parse(request) as unknown }
}

export interface Context {
  readonly activity: ReturnType<typeof openActivity>
}

export const { endpoint, job } = area.of<Context>()
