import type { Store } from '../../store/store.ts'

export interface SessionRow {
  readonly id: number
  readonly user_id: number
  readonly access_hash: string
  readonly access_expires_at: string
  readonly expires_at: string
  readonly created_at: string
  readonly last_used_at: string
  readonly ip: string
  readonly user_agent: string
}

export interface RefreshTokenRow {
  readonly hash: string
  readonly session_id: number
  readonly created_at: string
  readonly used_at: string | null
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly sessions: SessionRow
    readonly refresh_tokens: RefreshTokenRow
  }
}

/** This area's queries. */
export function sessionQueries(store: Store) {
  const { db } = store
  return {
    byAccessHash: (hash: string) =>
      db.selectFrom('sessions').selectAll().where('access_hash', '=', hash).executeTakeFirst(),
    byId: (id: number) => db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
    ofUser: (userId: number) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(500)
        .execute(),
    refreshToken: (hash: string) =>
      db.selectFrom('refresh_tokens').selectAll().where('hash', '=', hash).executeTakeFirst(),
    markUsed: (id: number, now: Date) =>
      db.updateTable('sessions').set({ last_used_at: now.toISOString() }).where('id', '=', id).execute(),
    /** Ends a session beside any change, as when its refresh token comes back a second time. */
    end: (id: number) =>
      store.transaction((tx) => store.write(tx, [{ write: 'delete', table: 'sessions', where: { id } }])),
    /** Ends at most so many sessions whose time is over, and returns how many. */
    endExpired: async (now: Date, most: number): Promise<number> => {
      const expired = await db
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<', now.toISOString())
        .limit(most)
        .execute()
      const deletions = expired.map(
        ({ id }) => ({ write: 'delete', table: 'sessions', where: { id } }) as const,
      )
      await store.transaction((tx) => store.write(tx, deletions))
      return expired.length
    },
  }
}

export type SessionQueries = ReturnType<typeof sessionQueries>
