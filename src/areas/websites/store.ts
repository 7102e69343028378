import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { inState, type SuspensionState } from '../../core/schemas.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { boolean, id, json, oneOf, optional, ref, revision, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import type { Db } from '../../store/database.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { defaultSettings, type SiteSettings, StoredSettings } from './settings-model.ts'

export const websites = table(
  'websites',
  {
    id: id(),
    domain: text(253, { unique: true }),
    user_id: ref('users'),
    username: text(32),
    type: oneOf(['static', 'php', 'proxy']),
    root: text(4096),
    is_suspended: boolean(),
    /** The name of its file; null without TLS. */
    certificate: optional(text(100)),
    https_redirect: boolean(),
    hsts: boolean(),
    created_at: time(),
    updated_at: time(),
    revision: revision(),
  },
  { noun: 'website', search: ['domain', 'username'] },
)
export type WebsiteRow = RowOf<typeof websites>

export const websiteAliases = table('website_aliases', {
  name: text(253, { key: true }),
  website_id: ref('websites'),
})

/** A website without a row has the defaults. */
export const websiteSettings = table('website_settings', {
  website_id: ref('websites', { key: true }),
  settings: json(StoredSettings),
  /** JSON of the protected folders. */
  passwords: optional(secret()),
})

/** An owner whose websites obey access rules. */
export const websiteAccess = table('website_access', {
  user_id: ref('users', { key: true }),
  /** Names the file of the rules that nginx loads. */
  digest: text(16),
  /** True if the websites are not served when the rules cannot be read. */
  is_closed: boolean(),
})

/** One row. */
export const websiteCreation = table('website_creation', {
  id: id(),
  /** True if only superusers may create websites. */
  is_locked: boolean(),
  revision: revision(),
})

/** A folder that asks for a password, with its users and the hashes of their passwords. */
export interface ProtectedFolder {
  readonly folder: string
  readonly users: readonly { readonly username: string; readonly hash: string }[]
}

/** A row with what other tables have of the website. */
export type StoredWebsite = WebsiteRow & {
  readonly aliases: readonly string[]
  readonly settings: SiteSettings
  readonly protectedFolders: readonly ProtectedFolder[]
  /** True if its owner has access rules. */
  readonly hasAccessRules: boolean
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly websites: WebsiteRow
    readonly website_aliases: RowOf<typeof websiteAliases>
    readonly website_settings: RowOf<typeof websiteSettings>
    readonly website_access: RowOf<typeof websiteAccess>
    readonly website_creation: RowOf<typeof websiteCreation>
  }
}

/** Returns this area's queries. */
export function websiteQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, websites)
  const counting = countingOf(db)
  const scopeOf = ({ user }: Caller) => (user.isAdmin ? {} : { user_id: user.id })
  const access = accessOf(db)
  return {
    ...access,
    page: (query: ListQuery, caller: Caller, asked: Narrowing = {}): Promise<Page<WebsiteRow>> =>
      rows.page(query, { ...scopeOf(caller), ...conditionOf(asked) }),
    count: (): Promise<number> => numberOf(counting),
    creation: () => queriesOf(store, websiteCreation).load({ id: 1 }),
    countSuspended: ({ user }: Caller): Promise<number> => {
      const found = counting.where('is_suspended', '=', 1)
      return numberOf(user.isAdmin ? found : found.where('user_id', '=', user.id))
    },
    /** Returns a website that the caller may see; undefined for another user's website. */
    seenBy: (caller: Caller, websiteId: number) => rows.find({ id: websiteId, ...scopeOf(caller) }),
    load: (websiteId: number) => rows.load({ id: websiteId }),
    find: (websiteId: number) => rows.find({ id: websiteId }),
    named: (domain: string) => rows.find({ domain }),
    /** Returns a website that the caller may see, or fails with 404. */
    loadFor: (caller: Caller, websiteId: number) => rows.load({ id: websiteId, ...scopeOf(caller) }),
    ...completeOf(db, access),
    ...countsOf(db),
    ...namesOf(db),
  }
}

const completeOf = (db: Db, { access }: ReturnType<typeof accessOf>) => ({
  /** Returns every website with its aliases and settings, by domain. */
  all: async (): Promise<readonly StoredWebsite[]> => {
    const all = await db.selectFrom('websites').selectAll().orderBy('domain').execute()
    return withParts(
      all,
      await db.selectFrom('website_aliases').selectAll().orderBy('name').execute(),
      await db.selectFrom('website_settings').selectAll().execute(),
      await access(),
    )
  },
  /** Completes rows with their aliases and settings. */
  complete: async (found: readonly WebsiteRow[]): Promise<readonly StoredWebsite[]> => {
    const ids = found.map((row) => row.id)
    if (ids.length === 0) return []
    return withParts(
      found,
      await db
        .selectFrom('website_aliases')
        .selectAll()
        .where('website_id', 'in', ids)
        .orderBy('name')
        .execute(),
      await db.selectFrom('website_settings').selectAll().where('website_id', 'in', ids).execute(),
      await access(),
    )
  },
})

const accessOf = (db: Db) => {
  const access = () => db.selectFrom('website_access').selectAll().orderBy('user_id').execute()
  return {
    access,
    /** True if the websites of an owner obey access rules. */
    hasAccessRules: async (userId: number): Promise<boolean> =>
      (await access()).some(({ user_id }) => user_id === userId),
  }
}

const namesOf = (db: Db) => ({
  taken: (names: readonly string[]): Promise<readonly RowOf<typeof websiteAliases>[]> =>
    takenNames(db, names),
  /** Returns a name below a host name that another owner's website has; undefined if there is none. */
  ofOthersBelow: (name: string, userId: number): Promise<string | undefined> =>
    nameOfOthersBelow(db, name, userId),
})

const countingOf = (db: Db) =>
  db.selectFrom('websites').select((row) => row.fn.countAll<number>().as('count'))

const numberOf = async (found: ReturnType<typeof countingOf>) =>
  Number((await found.executeTakeFirstOrThrow()).count)

const countsOf = (db: Db) => ({
  countOf: (userId: number): Promise<number> => numberOf(countingOf(db).where('user_id', '=', userId)),
  /** Returns the number of websites by the id of their owner. */
  countsByOwner: async (): Promise<ReadonlyMap<number, number>> => {
    const rows = await db
      .selectFrom('websites')
      .select((row) => ['user_id', row.fn.countAll<number>().as('count')])
      .groupBy('user_id')
      .execute()
    return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
  },
})

function withParts(
  rows: readonly WebsiteRow[],
  aliases: readonly RowOf<typeof websiteAliases>[],
  settings: readonly RowOf<typeof websiteSettings>[],
  access: readonly RowOf<typeof websiteAccess>[],
): readonly StoredWebsite[] {
  const names = Map.groupBy(aliases, (row) => row.website_id)
  const stored = new Map(settings.map((row) => [row.website_id, row]))
  const ruled = new Set(access.map(({ user_id }) => user_id))
  return rows.map((row) => ({
    ...row,
    aliases: (names.get(row.id) ?? []).map(({ name }) => name),
    ...settingsIn(stored.get(row.id)),
    hasAccessRules: ruled.has(row.user_id),
  }))
}

/** Returns the settings in a row; the defaults for none. */
export const settingsIn = (
  row: RowOf<typeof websiteSettings> | undefined,
): Pick<StoredWebsite, 'settings' | 'protectedFolders'> => ({
  settings: row === undefined ? defaultSettings : completed(websiteSettings.show(row).settings),
  protectedFolders: JSON.parse(row?.passwords ?? '[]'),
})

const completed = ({ proxy_settings, ...settings }: Static<typeof StoredSettings>): SiteSettings => ({
  ...defaultSettings,
  ...settings,
  proxy_settings: { ...defaultSettings.proxy_settings, ...proxy_settings },
})

interface Narrowing {
  readonly username?: string
  readonly state?: SuspensionState
}

const conditionOf = ({ username, state }: Narrowing) => ({
  ...inState(state),
  ...(username !== undefined && { username }),
})

/** Returns which of these names a website already uses, with that website's id. */
async function takenNames(
  db: Db,
  names: readonly string[],
): Promise<readonly RowOf<typeof websiteAliases>[]> {
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
}

async function nameOfOthersBelow(db: Db, name: string, userId: number): Promise<string | undefined> {
  const below = `%.${name}` // host names contain no character that LIKE knows
  const domain = await db
    .selectFrom('websites')
    .select('domain as name')
    .where('domain', 'like', below)
    .where('user_id', '!=', userId)
    .executeTakeFirst()
  const alias = await db
    .selectFrom('website_aliases')
    .innerJoin('websites', 'websites.id', 'website_aliases.website_id')
    .select('name')
    .where('name', 'like', below)
    .where('user_id', '!=', userId)
    .executeTakeFirst()
  return (domain ?? alias)?.name
}

export type WebsiteQueries = ReturnType<typeof websiteQueries>
