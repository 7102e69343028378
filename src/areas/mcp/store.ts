import { createHash } from 'node:crypto'
import Type from 'typebox'
import { boolean, id, integer, json, oneOf, optional, ref, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { StoredPlan, storedStates, StoredScopes } from './model.ts'

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
    approve: boolean(),
    max_calls: optional(integer()),
    max_changes: optional(integer()),
    max_bytes: optional(integer()),
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

/** What keys with a budget used in their present hour. Written outside changes. */
export const mcpUsage = table(
  'mcp_usage',
  {
    key_id: ref('mcp_keys', { key: true }),
    hour_began_at: time(),
    calls: integer(),
    changes: integer(),
    bytes: integer(),
  },
  { notUndone: { left: 'what an agent has used is no change', unchecked: [] } },
)

export type McpUsageRow = RowOf<typeof mcpUsage>

/** Changes that wait for a person, and what became of them. */
export const mcpApprovals = table(
  'mcp_approvals',
  {
    id: id(),
    key_id: ref('mcp_keys'),
    method: text(10),
    path: text(8192),
    summary: text(500),
    request: json(Type.Unknown()),
    plan: json(StoredPlan),
    sealed_call: secret(),
    state: oneOf(storedStates),
    created_at: time(),
    expires_at: time(),
    decided_at: optional(time()),
    decided_by: optional(text(254)),
    status: optional(integer()),
    answer: optional(text(300_000)),
  },
  {
    noun: 'plan',
    notUndone: {
      insert: 'a plan is approved or rejected',
      delete: 'a deleted plan is not asked for again',
      columns: { state: 'a decision on a plan is final' },
    },
  },
)

export type ApprovalRow = RowOf<typeof mcpApprovals>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly mcp_keys: McpKeyRow
    readonly mcp_usage: McpUsageRow
    readonly mcp_approvals: ApprovalRow
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
    usage: (keyId: number) => queriesOf(store, mcpUsage).find({ key_id: keyId }),
    usages: (): Promise<readonly McpUsageRow[]> => db.selectFrom('mcp_usage').selectAll().execute(),
    /** Stores what a key used, unless it was deleted meanwhile. */
    keepUsage: ({ key_id, ...used }: McpUsageRow): Promise<void> =>
      store.transaction(async (tx) => {
        const known = await tx.selectFrom('mcp_keys').select('id').where('id', '=', key_id).executeTakeFirst()
        if (known === undefined) return
        await tx
          .insertInto('mcp_usage')
          .values({ key_id, ...used })
          .onConflict((conflict) => conflict.column('key_id').doUpdateSet(used))
          .execute()
      }),
  }
}

export type McpKeyQueries = ReturnType<typeof mcpKeyQueries>

/** Keys are random, so a plain SHA-256 is enough to make them unrecoverable. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
