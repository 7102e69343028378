import { sql } from 'kysely'
import type { ActivityRow, ChangeOutcome, ChangeRow } from '../../changes/tables.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'

export interface EntryFilter {
  readonly action?: string
  /** Only one of these. */
  readonly actions?: readonly string[]
  readonly user_id?: number
  readonly mcp_key_id?: number
  readonly status?: ChangeOutcome
  readonly from?: string
  readonly to?: string
  readonly search?: string
}

export type UndoFacts = Pick<ChangeRow, 'state' | 'outcome' | 'not_undone' | 'undone_at'> & {
  readonly hasWork: boolean
}

/** A range of the log, by the ids of its entries. */
export interface Window {
  readonly from: number
  readonly to: number
}

/**
 * Returns this area's queries. A search reads one window at a time: the store answers synchronously, and a
 * filter may match nothing.
 */
export function activityQueries({ db }: Store) {
  return {
    /** Returns the ids of the oldest and the newest entry; undefined if the log is empty. */
    bounds: async (): Promise<Window | undefined> => {
      const end = (order: 'asc' | 'desc') =>
        db.selectFrom('activity').select('id').orderBy('id', order).limit(1).executeTakeFirst()
      const [oldest, newest] = [await end('asc'), await end('desc')]
      return oldest && newest && { from: oldest.id, to: newest.id }
    },
    byId: (id: number): Promise<ActivityRow | undefined> =>
      db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirst(),
    /** Returns the newest entries of changes other than sign-ins and sign-outs. */
    latestChanges: (limit: number) => latestChanges(db, limit),
    /** Returns what tells whether these changes can be undone, by their ids. */
    undoFacts: async (ids: readonly number[]): Promise<ReadonlyMap<number, UndoFacts>> => {
      const rows = await db
        .selectFrom('changes')
        .select(['id', 'state', 'outcome', 'not_undone', 'undone_at'])
        .select(({ eb }) => eb('work', 'is not', null).as('has_work'))
        .where('id', 'in', ids)
        .execute()
      return new Map(rows.map(({ has_work, ...row }) => [row.id, { ...row, hasWork: Boolean(has_work) }]))
    },
    /** Returns the matching entries of a window, newest first. */
    within: (filter: EntryFilter, { from, to }: Window, limit: number): Promise<readonly ActivityRow[]> => {
      let rows = db
        .selectFrom('activity')
        .selectAll()
        .where('id', '>=', from)
        .where('id', '<=', to)
        .orderBy('id', 'desc')
        .limit(limit)
      if (filter.action !== undefined) rows = rows.where('action', '=', filter.action)
      if (filter.actions !== undefined) rows = rows.where('action', 'in', filter.actions)
      if (filter.user_id !== undefined) rows = rows.where('user_id', '=', filter.user_id)
      if (filter.mcp_key_id !== undefined) rows = rows.where('mcp_key_id', '=', filter.mcp_key_id)
      if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
      if (filter.from !== undefined)
        rows = rows.where('created_at', '>=', new Date(filter.from).toISOString())
      if (filter.to !== undefined) rows = rows.where('created_at', '<', new Date(filter.to).toISOString())
      if (filter.search) rows = rows.where(contains(filter.search))
      return rows.execute()
    },
  }
}

const sessionActions = ['auth_sign_in', 'auth_sign_out', 'auth_refresh']

/** Looks at no more than the last thousand entries: sign-ins have entries too, and there may be a million of them. */
async function latestChanges(db: Db, limit: number): Promise<readonly ActivityRow[]> {
  const { last } = await db
    .selectFrom('activity')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const changes = db.selectFrom('activity').selectAll().where('change_id', 'is not', null)
  return changes
    .where('id', '>', Number(last) - 1000)
    .where('action', 'not in', sessionActions)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export type ActivityQueries = ReturnType<typeof activityQueries>

/** `like` ignores the case of ASCII letters by default. */
function contains(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`
  return sql<boolean>`action || ' ' || path || ' ' || message || ' ' || ip like ${pattern} escape '\\'`
}
