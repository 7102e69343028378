import { randomBytes } from 'node:crypto'
import type { AgentApprovals, AgentCall, CallOutcome } from '../../core/agent.ts'
import { PayloadTooLarge, RateLimited } from '../../core/problem.ts'
import type { Mcp } from './context.ts'
import type { ApprovalState, ShownPlan } from './model.ts'
import { type ApprovalRow, mcpApprovals, type McpKeyRow } from './store.ts'

const lifeMs = 24 * 3_600_000
const mostWaiting = 50
const mostBytes = 64 * 1024

/** A change as it is carried out once it is approved. It may contain secrets, so that it is stored sealed. */
export interface StoredCall extends AgentCall {
  readonly planPath: string
  readonly planDigest: string
  /** The address of the agent. */
  readonly ip: string
  /** The Idempotency-Key with which it is made, so that it is carried out once. */
  readonly onceKey: string
}

/** Opens the plans of a key whose changes wait for a person. */
export function openPlans({ store, approvals }: Mcp, key: McpKeyRow, ip: string): AgentApprovals {
  return {
    ask: async ({ shown, plan: planText, ...call }) => {
      const now = new Date()
      if ((await approvals.waiting(key.id, now)) >= mostWaiting)
        throw RateLimited(`${mostWaiting} plans of this key wait for a person: wait until some are decided`)
      const id = store.nextId(mcpApprovals.name)
      const expiresAt = new Date(now.getTime() + lifeMs).toISOString()
      const plan: ShownPlan = JSON.parse(planText)
      const onceKey = `mcp-${id}-${randomBytes(16).toString('hex')}`
      const stored = JSON.stringify({ ...call, ip, onceKey } satisfies StoredCall)
      if (Buffer.byteLength(stored) > mostBytes)
        throw PayloadTooLarge('body: a change that waits for a person may have at most 64 KiB')
      const [path = ''] = call.path.split('?')
      const row = mcpApprovals.row({
        id,
        key_id: key.id,
        method: call.method,
        path: path.slice(0, 8192),
        summary: plan.summary.slice(0, 500),
        request: shown,
        plan,
        sealed_call: store.seal(stored),
        state: 'pending',
        created_at: now.toISOString(),
        expires_at: expiresAt,
      })
      await store.transaction((tx) => store.write(tx, [mcpApprovals.insert(row)]))
      return { id, expiresAt }
    },
    outcome: async (id) => outcomeOf(await approvals.loadOfKey(id, key.id), new Date()),
  }
}

/** The state of an approval: one that waits has expired when its time is over. */
export const stateOf = (
  { state, expires_at: end }: Pick<ApprovalRow, 'state' | 'expires_at'>,
  now: Date,
): ApprovalState => (state === 'pending' && Date.parse(end) <= now.getTime() ? 'expired' : state)

/** What the agent is told of a change that it asked for. */
function outcomeOf(row: ApprovalRow, now: Date): CallOutcome {
  const { id, method, path, answer, status, expires_at } = row
  const state = stateOf(row, now)
  if (answer !== null && status !== null && state !== 'stale') return { method, path, status, text: answer }
  if (state === 'pending' || state === 'approved')
    return { method, path, status: 202, text: JSON.stringify({ data: { plan_id: id, state, expires_at } }) }
  const code = state === 'stale' ? 'conflict' : `plan_${state}`
  const error = { code, message: refusals[state] }
  return { method, path, status: state === 'rejected' ? 403 : 409, text: JSON.stringify({ error }) }
}

const refusals: Readonly<Record<Exclude<ApprovalState, 'pending' | 'approved'>, string>> = {
  rejected: 'A person rejected this plan',
  expired: 'Nobody approved this plan within 24 hours: ask again',
  stale: 'What this plan is about was changed meanwhile: ask again',
  done: 'The change was carried out; its answer is not available',
  failed: 'The change was approved, and was not carried out',
}
