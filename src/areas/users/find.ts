import type { PermissionSlug } from '../../core/permissions.ts'
import { type Account, accountComment } from '../../host/accounts.ts'
import type { Users } from './context.ts'
import type { ApiKeyRow, UserRow } from './store.ts'

/** Finds a user by id. */
export function findUser({ queries }: Users, id: number): Promise<UserRow | undefined> {
  return queries.byId(id)
}

/** Returns the user with an id; fails with 404, naming `uid`. */
export function loadUser({ queries }: Users, id: number): Promise<UserRow> {
  return queries.load(id)
}

/** Finds the users with these ids; those that were deleted are left out. */
export function findUsers({ queries }: Users, ids: readonly number[]): Promise<readonly UserRow[]> {
  return queries.byIds(ids)
}

/** Finds a user by e-mail address, in any case of letters. */
export function findUserByEmail({ queries }: Users, email: string): Promise<UserRow | undefined> {
  return queries.byEmail(email)
}

/** Returns all users by e-mail address. */
export function listAllUsers({ queries }: Users): Promise<readonly UserRow[]> {
  return queries.all()
}

/** Finds the user that a Linux account belongs to. */
export function findUserByUsername({ queries }: Users, username: string): Promise<UserRow | undefined> {
  return queries.byUsername(username)
}

/** Returns the permissions that were granted to a user. */
export function permissionsOf({ queries }: Users, id: number): Promise<readonly PermissionSlug[]> {
  return queries.permissionsOf(id)
}

/** Finds an API key by its text. */
export function findApiKey({ queries }: Users, key: string): Promise<ApiKeyRow | undefined> {
  return queries.apiKeyByToken(key)
}

/** Finds an API key of a user by its id. */
export async function apiKeyOf(
  { queries }: Users,
  userId: number,
  keyId: number,
): Promise<ApiKeyRow | undefined> {
  const key = await queries.apiKeyById(keyId)
  return key?.user_id === userId ? key : undefined
}

/** Returns the API keys that were made after a time. */
export function findNewKeys({ queries }: Users, since: Date): Promise<readonly ApiKeyRow[]> {
  return queries.apiKeysAfter(since)
}

/** Stores when an API key was last used. */
export async function markKeyUsed({ queries }: Users, id: number, now: Date): Promise<void> {
  await queries.markKeyUsed(id, now)
}

/**
 * Returns the Linux account of a user name if it belongs to a panel user and is an ordinary account of
 * the host (decision 3.19); otherwise undefined.
 */
export async function accountOf(
  { queries, accounts }: Pick<Users, 'queries' | 'accounts'>,
  username: string,
): Promise<Account | undefined> {
  const owner = await queries.byUsername(username)
  const account = owner && (await accounts.find(username))
  return account && account.uid >= 1000 ? account : undefined
}

/**
 * The same for the steps of a change, which may have created the account: the row of its user is written when the
 * change is settled.
 */
export async function accountInChange(
  { queries, accounts }: Pick<Users, 'queries' | 'accounts'>,
  username: string,
): Promise<Account | undefined> {
  const account = await accounts.find(username)
  if (account === undefined || account.uid < 1000) return undefined
  if (account.comment === accountComment) return account
  return (await queries.byUsername(username)) && account
}
