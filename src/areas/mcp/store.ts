import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { AgentAnswer } from '../../core/agent.ts'
import type { ListQuery } from '../../core/reply.ts'
import { boolean, id, integer, json, oneOf, optional, ref, secret, text, time } from '../../store/columns.ts'
import { readPage } from '../../store/page.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { type ApprovalState, StoredPlan, storedStates, StoredScopes } from './model.ts'

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

const listedColumns = [
  'id',
  'key_id',
  'method',
  'path',
  'summary',
  'state',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
  'status',
] as const

/** An approval without what only its details show. */
export type ListedApproval = Pick<ApprovalRow, (typeof listedColumns)[number]>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly mcp_keys: McpKeyRow
    readonly mcp_usage: McpUsageRow
    readonly mcp_approvals: ApprovalRow
  }
}

const keptDays = 90

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

/** Returns the queries of changes that wait for a person. */
export function approvalQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, mcpApprovals)
  return {
    /** Returns the approval with this id, or fails with 404. */
    load: (id: number) => rows.load({ id }),
    /** Returns the approval that a key asked for, or fails with 404. */
    loadOfKey: (id: number, keyId: number) => rows.load({ id, key_id: keyId }, 'plan_id'),
    find: (id: number) => rows.find({ id }),
    /** One page of those in a state: one that is pending has not expired yet. */
    page: (query: ListQuery, state: ApprovalState | undefined, now: Date) => {
      let found = db.selectFrom('mcp_approvals').select(listedColumns)
      if (state !== undefined) found = found.where('state', '=', state === 'expired' ? 'pending' : state)
      if (state === 'pending') found = found.where('expires_at', '>', now.toISOString())
      if (state === 'expired') found = found.where('expires_at', '<=', now.toISOString())
      return readPage(found, query, { search: ['path', 'summary'] })
    },
    /** The newest of those that were asked for since a time and still wait, oldest first. */
    askedAfter: async (since: Date, most: number): Promise<readonly ListedApproval[]> => {
      const found = await db
        .selectFrom('mcp_approvals')
        .select(listedColumns)
        .where('state', '=', 'pending')
        .where('created_at', '>=', since.toISOString())
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      return found.toReversed()
    },
    /** Counts those of a key that wait for a decision. */
    waiting: async (keyId: number, now: Date): Promise<number> => {
      const counted = await db
        .selectFrom('mcp_approvals')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('key_id', '=', keyId)
        .where('state', '=', 'pending')
        .where('expires_at', '>', now.toISOString())
        .executeTakeFirst()
      return Number(counted?.n ?? 0)
    },
    /** Ends those that were approved before a time and whose job is gone, such as one that was cancelled. */
    endLost: async (before: Date, { status, text: answer }: Pick<AgentAnswer, 'status' | 'text'>) => {
      const ended = await db
        .updateTable('mcp_approvals')
        .set({ state: 'failed', status, answer })
        .where('state', '=', 'approved')
        .where('decided_at', '<', before.toISOString())
        .executeTakeFirst()
      return Number(ended.numUpdatedRows)
    },
    /** Removes those that are older than 90 days, at most one day's worth; returns their number. */
    removeOld: async (now: Date | undefined): Promise<number> => {
      const times = await db
        .selectFrom('mcp_approvals')
        .select(({ fn }) => [fn.min('created_at').as('oldest'), fn.max('created_at').as('newest')])
        .executeTakeFirstOrThrow()
      const limit = pruneLimit(now, keptDays, times)
      if (limit === undefined) return 0
      const gone = await db.deleteFrom('mcp_approvals').where('created_at', '<', limit).executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
  }
}

export type ApprovalQueries = ReturnType<typeof approvalQueries>

/** Keys are random, so a plain SHA-256 is enough to make them unrecoverable. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
