import type { AgentAnswer } from '../../core/agent.ts'
import type { ListQuery } from '../../core/reply.ts'
import { readPage } from '../../store/page.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import type { ApprovalState } from './model.ts'
import { type ApprovalRow, mcpApprovals } from './store.ts'

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

const keptDays = 90

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
    ...waitingQueries(store),
    ...tidyingQueries(store),
  }
}

export type ApprovalQueries = ReturnType<typeof approvalQueries>

function waitingQueries({ db }: Store) {
  return {
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
  }
}

function tidyingQueries({ db }: Store) {
  return {
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
