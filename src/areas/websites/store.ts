import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { readPage } from '../../store/page.ts'
import type { Store } from '../../store/store.ts'

export interface WebsiteRow {
  readonly id: number
  readonly domain: string
  readonly user_id: number
  readonly username: string
  readonly type: 'static'
  readonly root: string
  readonly is_suspended: number
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly websites: WebsiteRow
    readonly website_aliases: { readonly name: string; readonly website_id: number }
  }
}

/** Returns this area's queries. */
// oxlint-disable-next-line max-lines-per-function -- a table of short queries
export function websiteQueries({ db }: Store) {
  const scoped = (caller: Caller) => {
    const rows = db.selectFrom('websites').selectAll()
    return caller.user.isAdmin ? rows : rows.where('user_id', '=', caller.user.id)
  }
  return {
    page: (query: ListQuery, caller: Caller, username?: string): Promise<Page<WebsiteRow>> => {
      const rows = username === undefined ? scoped(caller) : scoped(caller).where('username', '=', username)
      return readPage(rows, query, { search: ['domain', 'username'] })
    },
    /** Returns a website that the caller may see; undefined for another user's website. */
    seenBy: (caller: Caller, id: number): Promise<WebsiteRow | undefined> =>
      scoped(caller).where('id', '=', id).executeTakeFirst(),
    /** Returns every website with its aliases, by domain. */
    all: async (): Promise<readonly (WebsiteRow & { readonly aliases: readonly string[] })[]> => {
      const aliases = Map.groupBy(
        await db.selectFrom('website_aliases').selectAll().orderBy('name').execute(),
        (row) => row.website_id,
      )
      const rows = await db.selectFrom('websites').selectAll().orderBy('domain').execute()
      return rows.map((row) => ({ ...row, aliases: (aliases.get(row.id) ?? []).map(({ name }) => name) }))
    },
    byId: (id: number): Promise<WebsiteRow | undefined> =>
      db.selectFrom('websites').selectAll().where('id', '=', id).executeTakeFirst(),
    aliasesOf: async (ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> => {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('website_aliases')
        .selectAll()
        .where('website_id', 'in', [...ids])
        .orderBy('name')
        .execute()
      return new Map(
        [...Map.groupBy(rows, (row) => row.website_id)].map(([id, own]) => [id, own.map(({ name }) => name)]),
      )
    },
    /** Returns which of these names a website already uses, with that website's id. */
    taken: async (
      names: readonly string[],
    ): Promise<readonly { readonly name: string; readonly website_id: number }[]> => {
      if (names.length === 0) return []
      const domains = await db
        .selectFrom('websites')
        .select(['domain as name', 'id as website_id'])
        .where('domain', 'in', [...names])
        .execute()
      const aliases = await db
        .selectFrom('website_aliases')
        .selectAll()
        .where('name', 'in', [...names])
        .execute()
      return [...domains, ...aliases]
    },
  }
}

export type WebsiteQueries = ReturnType<typeof websiteQueries>
