import { createHash } from 'node:crypto'
import { type PermissionSlug, permissionSlugs } from '../../core/permissions.ts'
import {
  boolean,
  id,
  integer,
  json,
  oneOf,
  optional,
  ref,
  revision,
  secret,
  text,
  time,
} from '../../store/columns.ts'
import { KeyAddresses, Slugs } from './model.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

export const users = table(
  'users',
  {
    id: id(),
    email: text(254, { unique: true }),
    fullname: text(254),
    time_zone: optional(text(64)),
    username: optional(text(32, { unique: true })),
    password_hash: secret(),
    is_admin: boolean(),
    is_suspended: boolean(),
    created_at: time(),
    updated_at: time(),
    revision: revision(),
  },
  {
    noun: 'user',
    search: ['email', 'fullname', 'username'],
    notUndone: {
      insert: 'what the user has done since would be deleted as well: delete the user',
      delete: 'the sessions, keys and file versions of the user were deleted as well',
      columns: {
        password_hash: 'a former password is not restored',
        is_admin: 'an undo does not change the rights of a user',
        is_suspended: 'an undo neither suspends nor unsuspends a user',
      },
    },
  },
)
export type UserRow = RowOf<typeof users>
export const showUser = users.show

const noPermissions = 'an undo does not change permissions'
export const userPermissions = table(
  'user_permissions',
  {
    user_id: ref('users', { key: true }),
    slug: oneOf(permissionSlugs, { key: true }),
  },
  { notUndone: { insert: noPermissions, delete: noPermissions } },
)

export const apiKeys = table(
  'api_keys',
  {
    id: id(),
    user_id: ref('users'),
    name: text(100),
    key_hash: secret({ unique: true }),
    key_prefix: text(12),
    created_at: time(),
    last_used: optional(time()),
    expires_at: optional(time()),
    allowed_addresses: optional(json(KeyAddresses)),
    permissions: optional(json(Slugs)),
    made_by: optional(integer()),
  },
  { notUndone: { delete: 'a deleted key does not become valid again', unchecked: ['last_used'] } },
)

/** The uids that accounts of panel users have had: files of a deleted account must never belong to a new one. */
export const accountUids = table(
  'account_uids',
  { uid: integer({ key: true }) },
  { notUndone: { insert: 'a uid is never given twice' } },
)

export type ApiKeyRow = RowOf<typeof apiKeys>

/** Returns the fields of a key that a list shows. */
export function showApiKey(row: ApiKeyRow) {
  const { user_id: _owner, made_by: _maker, ...shown } = apiKeys.show(row)
  return shown
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly users: UserRow
    readonly user_permissions: RowOf<typeof userPermissions>
    readonly api_keys: ApiKeyRow
    readonly account_uids: RowOf<typeof accountUids>
  }
}

/** Returns this area's queries. */
export function userQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, users)
  return {
    page: rows.page,
    /** Returns the user with this id, or fails with 404. */
    load: (id: number) => rows.load({ id }, 'uid'),
    isEmpty: async (): Promise<boolean> =>
      (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined,
    all: (): Promise<readonly UserRow[]> => db.selectFrom('users').selectAll().orderBy('email').execute(),
    byId: (id: number) => rows.find({ id }),
    byIds: (ids: readonly number[]): Promise<readonly UserRow[]> =>
      db.selectFrom('users').selectAll().where('id', 'in', ids).execute(),
    byEmail: (email: string) => rows.find({ email: email.toLowerCase() }),
    byUsername: (username: string) => rows.find({ username }),
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
    ...keyQueries(store),
    ...uidQueries(store),
  }
}

function keyQueries(store: Store) {
  const { db } = store
  const keys = queriesOf(store, apiKeys)
  return {
    apiKeysOf: (id: number) =>
      db.selectFrom('api_keys').selectAll().where('user_id', '=', id).orderBy('id', 'desc').execute(),
    apiKeysAfter: (since: Date): Promise<readonly ApiKeyRow[]> =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('created_at', '>', since.toISOString())
        .limit(200)
        .execute(),
    apiKeyById: (id: number) => keys.find({ id }),
    apiKeyByToken: (token: string) => keys.find({ key_hash: hashKey(token) }),
    markKeyUsed: (id: number, now: Date) =>
      db.updateTable('api_keys').set({ last_used: now.toISOString() }).where('id', '=', id).execute(),
  }
}

function uidQueries(store: Store) {
  const uids = queriesOf(store, accountUids)
  return {
    /** Returns the highest uid up to a limit that an account of a panel user has had; 0 if there was none. */
    highestUid: async (limit: number): Promise<number> => {
      const row = await store.db
        .selectFrom('account_uids')
        .select('uid')
        .where('uid', '<=', limit)
        .orderBy('uid', 'desc')
        .executeTakeFirst()
      return row?.uid ?? 0
    },
    hasUid: async (uid: number): Promise<boolean> => (await uids.find({ uid })) !== undefined,
  }
}

export type UserQueries = ReturnType<typeof userQueries>

/** Keys are random, so a plain SHA-256 is enough to make them unrecoverable. */
export const hashKey = (token: string): string => createHash('sha256').update(token).digest('hex')
