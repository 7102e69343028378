import { createHash } from 'node:crypto'
import type { PermissionSlug } from '../../core/guard.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { readPage } from '../../store/page.ts'
import type { Store } from '../../store/store.ts'

export interface UserRow {
  readonly id: number
  readonly email: string
  readonly fullname: string
  readonly username: string | null
  readonly password_hash: string
  readonly is_admin: number
  readonly is_suspended: number
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

export interface ApiKeyRow {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly key_hash: string
  readonly key_prefix: string
  readonly created_at: string
  readonly last_used: string | null
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly users: UserRow
    readonly user_permissions: { readonly user_id: number; readonly slug: PermissionSlug }
    readonly api_keys: ApiKeyRow
  }
}

/** Returns this area's queries. */
export function userQueries(store: Store) {
  const { db } = store
  return {
    page: (query: ListQuery): Promise<Page<UserRow>> =>
      readPage(db.selectFrom('users').selectAll(), query, { search: ['email', 'fullname', 'username'] }),
    isEmpty: async (): Promise<boolean> =>
      (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined,
    byId: (id: number) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
    byEmail: (email: string) =>
      db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst(),
    byUsername: (username: string) =>
      db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst(),
    permissionsOf: async (id: number): Promise<readonly PermissionSlug[]> =>
      (
        await db
          .selectFrom('user_permissions')
          .select('slug')
          .where('user_id', '=', id)
          .orderBy('slug')
          .execute()
      ).map(({ slug }) => slug),
    activeSuperusers: async (): Promise<number> => {
      const { count } = await db
        .selectFrom('users')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('is_admin', '=', 1)
        .where('is_suspended', '=', 0)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    apiKeysOf: (id: number) =>
      db.selectFrom('api_keys').selectAll().where('user_id', '=', id).orderBy('id', 'desc').execute(),
    apiKeyByToken: (token: string) =>
      db.selectFrom('api_keys').selectAll().where('key_hash', '=', hashKey(token)).executeTakeFirst(),
    markKeyUsed: (id: number, now: Date) =>
      db.updateTable('api_keys').set({ last_used: now.toISOString() }).where('id', '=', id).execute(),
  }
}

export type UserQueries = ReturnType<typeof userQueries>

/** Keys are random, so a plain SHA-256 is enough to make them unrecoverable. */
export const hashKey = (token: string): string => createHash('sha256').update(token).digest('hex')
