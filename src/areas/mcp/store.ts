import { createHash } from 'node:crypto'
import { boolean, id, json, optional, ref, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { StoredScopes } from './model.ts'

export const mcpKeys = table(
  'mcp_keys',
  {
    id: id(),
    user_id: ref('users'),
    name: text(100),
    key_hash: secret({ unique: true }),
    key_prefix: text(12),
    scopes: json(StoredScopes),
    read_only: boolean(),
    enabled: boolean(),
    expires_at: optional(time()),
    created_at: time(),
    last_used: optional(time()),
  },
  {
    noun: 'key',
    notUndone: {
      delete: 'a deleted key does not become valid again',
      columns: { enabled: 'an undo neither enables nor disables a key' },
      unchecked: ['last_used'],
    },
  },
)

export type McpKeyRow = RowOf<typeof mcpKeys>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly mcp_keys: McpKeyRow
  }
}

/** Returns this area's queries. */
export function mcpKeyQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, mcpKeys)
  return {
    all: (): Promise<readonly McpKeyRow[]> =>
      db.selectFrom('mcp_keys').selectAll().orderBy('id', 'desc').execute(),
    ofUser: (userId: number): Promise<readonly McpKeyRow[]> =>
      db.selectFrom('mcp_keys').selectAll().where('user_id', '=', userId).execute(),
    /** Returns the key with this id, or fails with 404. */
    load: (id: number) => rows.load({ id }),
    byId: (id: number) => rows.find({ id }),
    byToken: (token: string) => rows.find({ key_hash: hashToken(token) }),
    markUsed: async (id: number, now: Date): Promise<void> => {
      await db.updateTable('mcp_keys').set({ last_used: now.toISOString() }).where('id', '=', id).execute()
    },
  }
}

export type McpKeyQueries = ReturnType<typeof mcpKeyQueries>

/** Keys are random, so a plain SHA-256 is enough to make them unrecoverable. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
