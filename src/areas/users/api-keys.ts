import { randomBytes } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { deleteRow, insertRow } from '../../store/rows.ts'
import { assertMayCreateKey, assertMayEdit } from './rights.ts'
import { hashKey, type UserQueries, type UserRow } from './store.ts'

/** The caller and time of a change, and the source of row ids. */
export interface ChangeContext {
  readonly caller: Caller
  readonly now: Date
  readonly id: (table: string) => number
}

/** The verbs on the API keys of a user. */
export function apiKeyVerbs(queries: UserQueries) {
  return {
    createApiKey: async (user: UserRow, name: string, { caller, now, id }: ChangeContext) => {
      assertMayCreateKey(caller, user, await queries.permissionsOf(user.id))
      const key = `bap_${randomBytes(32).toString('hex')}`
      const row = {
        id: id('api_keys'),
        user_id: user.id,
        name,
        key_hash: hashKey(key),
        key_prefix: key.slice(0, 12),
        created_at: now.toISOString(),
        last_used: null,
      }
      return change({
        summary: `Create API key ${name} for ${user.email}`,
        rows: [insertRow('api_keys', row)],
        reply: { id: row.id, key, key_prefix: row.key_prefix, name },
      })
    },
    deleteApiKey: async (
      uid: number,
      kid: number,
      { caller }: ChangeContext,
    ): Promise<Change<{ success: true }>> => {
      const user = await queries.byId(uid)
      if (user) assertMayEdit(caller, user)
      return change({
        summary: `Delete API key ${kid}`,
        rows: [deleteRow('api_keys', { id: kid, user_id: uid })],
        reply: success,
      })
    },
  }
}
