import { Readable } from 'node:stream'
import { pruneActivity, type Verification, verifyActivity } from '../../changes/activity.ts'
import type { ActivityRow } from '../../changes/tables.ts'
import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { activityQueries, type EntryFilter } from './store.ts'

const exportBatch = 1000

/** The area bound to the chain that the executor writes. */
export function openActivity({ store }: Deps) {
  const { before } = activityQueries(store)
  return {
    page: async (filter: EntryFilter, cursor: number | undefined, limit: number) => {
      const rows = await before(filter, cursor, limit + 1)
      const items = rows.slice(0, limit).map(showEntry)
      return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
    },
    /** All entries that match, newest first, as JSON lines. */
    lines: (filter: EntryFilter): Readable =>
      Readable.from(
        (async function* () {
          for (let cursor: number | undefined; ;) {
            const rows = await before(filter, cursor, exportBatch)
            if (rows.length > 0)
              yield rows.map((row) => `${JSON.stringify({ ...showEntry(row), hash: row.hash })}\n`).join('')
            if (rows.length < exportBatch) return
            cursor = rows.at(-1)?.id
          }
        })(),
      ),
    verify: (signal: AbortSignal): Promise<Verification> => verifyActivity(store, signal),
    prune: (olderThan: Date): Promise<number> => pruneActivity(store, olderThan),
  }
}

function showEntry({ hash: _hash, change_id: _change, request, ...row }: ActivityRow) {
  return { ...row, request: JSON.parse(request) as unknown }
}

export interface Context {
  readonly activity: ReturnType<typeof openActivity>
}

export const { endpoint, job } = area.of<Context>()
