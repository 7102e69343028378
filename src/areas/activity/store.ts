import { sql } from 'kysely'
import type { ActivityRow, ChangeOutcome } from '../../changes/tables.ts'
import type { Store } from '../../store/store.ts'

export interface EntryFilter {
  readonly action?: string
  readonly user_id?: number
  readonly status?: ChangeOutcome
  readonly from?: string
  readonly to?: string
  readonly search?: string
}

/** This area's queries: newest first, by cursor, so that a million rows page as fast as ten. */
export function activityQueries({ db }: Store) {
  return {
    before: (
      filter: EntryFilter,
      cursor: number | undefined,
      limit: number,
    ): Promise<readonly ActivityRow[]> => {
      let rows = db.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(limit)
      if (cursor !== undefined) rows = rows.where('id', '<', cursor)
      if (filter.action !== undefined) rows = rows.where('action', '=', filter.action)
      if (filter.user_id !== undefined) rows = rows.where('user_id', '=', filter.user_id)
      if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
      if (filter.from !== undefined)
        rows = rows.where('created_at', '>=', new Date(filter.from).toISOString())
      if (filter.to !== undefined) rows = rows.where('created_at', '<', new Date(filter.to).toISOString())
      if (filter.search) rows = rows.where(contains(filter.search))
      return rows.execute()
    },
  }
}

function contains(text: string) {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`
  return sql<boolean>`lower(action || ' ' || path || ' ' || message || ' ' || ip) like ${pattern} escape '\\'`
}
