import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { success } from '../../core/reply.ts'
import { assertMayActAs } from './act-as.ts'
import type { Users } from './context.ts'
import { limitsOf } from './key-limits.ts'
import type { ApiKeys, KeyDraft, NewApiKey } from './model.ts'
import { assertMayEdit } from './rights.ts'
import { apiKeys, hashKey, showApiKey, type UserRow } from './store.ts'

/** Lists the API keys of a user, newest first. */
export async function listApiKeys({ queries }: Users, uid: number): Promise<Static<typeof ApiKeys>> {
  return { keys: (await queries.apiKeysOf(uid)).map(showApiKey) }
}

/** Creates an API key, which only the reply shows. */
export async function createApiKey(
  on: Users,
  user: UserRow,
  draft: KeyDraft,
  { caller, now, id }: Deciding,
): Promise<Change<Static<typeof NewApiKey>>> {
  await assertMayActAs(on, caller, user, 'a key')
  const { name } = draft
  const key = `bap_${randomBytes(32).toString('hex')}`
  const row = apiKeys.row({
    id: id(apiKeys.name),
    user_id: user.id,
    name,
    key_hash: hashKey(key),
    key_prefix: key.slice(0, 12),
    created_at: now.toISOString(),
    made_by: caller.user.id,
    ...limitsOf(draft, now),
  })
  return change({
    summary: `Create API key ${name} for ${user.email}`,
    rows: [apiKeys.insert(row)],
    reply: { id: row.id, key, key_prefix: row.key_prefix, name },
  })
}

/**
 * Returns what ends the keys that others have made for a user whose rights grow: a key has the rights of its user, and its
 * maker may not have those. A key of before makers were stored may be another's.
 */
export async function endKeysOfOthers({ queries }: Users, user: UserRow): Promise<KeysEnded> {
  const keys = (await queries.apiKeysOf(user.id)).filter(({ made_by: maker }) => maker !== user.id)
  return {
    details: keys.map(({ name, made_by: maker }) =>
      maker === null
        ? `The API key ${name}, whose maker is unknown, is deleted`
        : `The API key ${name}, which another user made, is deleted`,
    ),
    rows: keys.map(({ id }) => apiKeys.delete({ id })),
  }
}

export interface KeysEnded {
  readonly details: readonly string[]
  readonly rows: readonly RowWrite[]
}

export const noKeysEnded: KeysEnded = { details: [], rows: [] }

/** Deletes an API key of a user, if it exists. */
export async function deleteApiKey(
  { queries }: Users,
  { uid, kid }: { readonly uid: number; readonly kid: number },
  { caller }: Deciding,
): Promise<Change<{ success: true }>> {
  const user = await queries.byId(uid)
  if (user) assertMayEdit(caller, user)
  return change({
    summary: `Delete API key ${kid}`,
    rows: [apiKeys.delete({ id: kid, user_id: uid })],
    reply: success,
  })
}
