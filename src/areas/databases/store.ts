import type { Caller } from '../../core/caller.ts'
import type { ListQuery } from '../../core/reply.ts'
import { id, oneOf, optional, ref, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { type EngineName, engineNames } from './model.ts'

export const databases = table(
  'databases',
  {
    id: id(),
    engine: oneOf(engineNames),
    name: text(64, { unique: true }),
    /** Null once the owner was deleted. */
    user_id: optional(ref('users')),
    /** Null once the website was deleted. */
    website_id: optional(ref('websites')),
    created_at: time(),
    updated_at: time(),
    revision: revision(),
  },
  { noun: 'database', search: ['name'] },
)
export type DatabaseRow = RowOf<typeof databases>

/** An account of a database server, which has rights on one database. */
export const databaseAccounts = table('database_accounts', {
  username: text(80, { key: true }),
  host: text(60, { key: true }),
  database_id: ref('databases'),
})
export type AccountRow = RowOf<typeof databaseAccounts>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly databases: DatabaseRow
    readonly database_accounts: AccountRow
  }
}

interface Narrowing {
  readonly website_id?: number
  readonly engine?: EngineName
}

/** Returns this area's queries. */
export function databaseQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, databases)
  const scopeOf = ({ user }: Caller) => (user.isAdmin ? {} : { user_id: user.id })
  return {
    page: (query: ListQuery, caller: Caller, of: Narrowing = {}) =>
      rows.page(query, { ...of, ...scopeOf(caller) }),
    /** Returns a database that the caller may see, or fails with 404. */
    loadFor: (caller: Caller, databaseId: number, engine?: EngineName) =>
      rows.load({ id: databaseId, ...scopeOf(caller), ...(engine && { engine }) }),
    load: (databaseId: number) => rows.load({ id: databaseId }),
    find: (databaseId: number) => rows.find({ id: databaseId }),
    all: (): Promise<readonly DatabaseRow[]> =>
      db.selectFrom('databases').selectAll().orderBy('name').execute(),
    named: (name: string) => rows.find({ name }),
    ofWebsite: (websiteId: number): Promise<readonly DatabaseRow[]> =>
      db.selectFrom('databases').selectAll().where('website_id', '=', websiteId).orderBy('name').execute(),
    ofEngine: (engine: EngineName): Promise<readonly DatabaseRow[]> =>
      db.selectFrom('databases').selectAll().where('engine', '=', engine).orderBy('name').execute(),
    ofUser: (userId: number): Promise<readonly DatabaseRow[]> =>
      db.selectFrom('databases').selectAll().where('user_id', '=', userId).orderBy('name').execute(),
    accountsNamed: (username: string): Promise<readonly AccountRow[]> =>
      db.selectFrom('database_accounts').selectAll().where('username', '=', username).execute(),
    accountsOf: async (databaseIds: readonly number[]): Promise<readonly AccountRow[]> => {
      if (databaseIds.length === 0) return []
      return db
        .selectFrom('database_accounts')
        .selectAll()
        .where('database_id', 'in', [...databaseIds])
        .orderBy('username')
        .orderBy('host')
        .execute()
    },
    /** Returns the Linux account of a user. */
    usernameOf: async (userId: number): Promise<string | undefined> => {
      const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst()
      return row?.username ?? undefined
    },
    /** Returns the domains of websites by their ids. */
    domainsOf: async (websiteIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      if (websiteIds.length === 0) return new Map()
      const found = await db
        .selectFrom('websites')
        .select(['id', 'domain'])
        .where('id', 'in', [...websiteIds])
        .execute()
      return new Map(found.map((row) => [row.id, row.domain]))
    },
  }
}

export type DatabaseQueries = ReturnType<typeof databaseQueries>
