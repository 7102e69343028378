import type { Caller } from '../../core/caller.ts'
import { type Change, change, refusedChange } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { Forbidden, Unavailable } from '../../core/problem.ts'
import { type ListQuery, type Page, success } from '../../core/reply.ts'
import { agentNow } from './agents.ts'
import type { ListedApproval } from './approval-store.ts'
import { stateOf, type StoredCall } from './asked-plans.ts'
import type { Mcp } from './context.ts'
import type { Approval, ApprovalDetails, ApprovalState } from './model.ts'
import { KeyEnded, PlanDecided, PlanExpired, PlanOutdated } from './problems.ts'
import { runApproved } from './run-approved.ts'
import { type ApprovalRow, mcpApprovals } from './store.ts'

const planLock = lock('mcp-plan')

interface Asked {
  readonly query: ListQuery & { readonly state?: ApprovalState }
  readonly now: Date
}

/** Lists the changes that agents asked for, in a state or all of them. */
export async function listApprovals(on: Mcp, { query, now }: Asked): Promise<Page<Approval>> {
  const { items, total } = await on.approvals.page(query, query.state, now)
  const names = await namesOfKeys(on)
  return { items: items.map((row) => showApproval(row, names, now)), total }
}

/** Shows one of them with its request, its plan and its answer. */
export async function showDetails(on: Mcp, row: ApprovalRow, now: Date): Promise<ApprovalDetails> {
  const { request, plan, answer } = mcpApprovals.show(row)
  const shown = showApproval(row, await namesOfKeys(on), now)
  return { ...shown, request, plan, ...(answer !== null && { answer }) }
}

const namesOfKeys = async ({ queries }: Mcp): Promise<ReadonlyMap<number, string>> =>
  new Map((await queries.all()).map(({ id, name }) => [id, name]))

function showApproval(row: ListedApproval, names: ReadonlyMap<number, string>, now: Date): Approval {
  const { id, key_id, method, path, summary, created_at, expires_at, decided_at, decided_by, status } = row
  return {
    id,
    key_id,
    key_name: names.get(key_id) ?? '',
    method,
    path,
    summary,
    state: stateOf(row, now),
    created_at,
    expires_at,
    ...(decided_at !== null && { decided_at }),
    ...(decided_by !== null && { decided_by }),
    ...(status !== null && { status }),
  }
}

/** Approves a change, which a job then carries out; one whose plan is not the same any more is refused, and stale for good. */
export async function approvePlan(
  on: Mcp,
  row: ApprovalRow,
  request: Deciding,
): Promise<Change<{ job_id: number }>> {
  assertDecidable(row, request)
  const [title, decided] = [`${row.method} ${row.path}`, decision(request)]
  if (!(await isPlanSame(on, row, request)))
    return refusedChange(
      {
        summary: `Refuse the stale plan of ${title}`.slice(0, 500),
        locks: [planLock(row.id)],
        rows: [stale(row, request)],
      },
      PlanOutdated(),
    )
  return change({
    summary: `Approve ${title} of an agent: ${row.summary}`.slice(0, 500),
    locks: [planLock(row.id)],
    rows: [mcpApprovals.updateWhere({ id: row.id, state: 'pending' }, { state: 'approved', ...decided })],
    jobs: [
      {
        kind: runApproved.kind,
        input: { approval_id: row.id },
        ownerId: request.caller.user.id,
        title: `Carry out ${title} of an agent`.slice(0, 200),
      },
    ],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}

/** Rejects a change: it is never carried out. */
export function rejectPlan(row: ApprovalRow, request: Deciding): Change<{ success: true }> {
  assertDecidable(row, request)
  const set = { state: 'rejected' as const, ...decision(request) }
  return change({
    summary: `Reject ${row.method} ${row.path} of an agent: ${row.summary}`.slice(0, 500),
    locks: [planLock(row.id)],
    rows: [mcpApprovals.updateWhere({ id: row.id, state: 'pending' }, set)],
    reply: success,
  })
}

const decision = ({ caller, now }: Deciding) => ({
  decided_at: now.toISOString(),
  decided_by: caller.user.email,
})

const stale = ({ id }: ApprovalRow, { now }: Deciding) =>
  mcpApprovals.updateWhere({ id, state: 'pending' }, { state: 'stale', decided_at: now.toISOString() })

/** Throws unless a person decides on a change that still waits. */
function assertDecidable(row: ApprovalRow, { caller, now }: Deciding): void {
  assertPerson(caller)
  const state = stateOf(row, now)
  if (state === 'expired') throw PlanExpired()
  if (state === 'stale') throw PlanOutdated()
  if (state !== 'pending') throw PlanDecided(`${row.decided_by ?? 'Somebody'} decided on this plan before`)
}

/** A program with a key is no person. */
function assertPerson({ keyId, mcpKeyId }: Caller): void {
  if (keyId !== null || mcpKeyId !== undefined)
    throw Forbidden('Only a person who is signed in decides on plans of agents, not a key')
}

/** Plans the change again, as the agent would now. A plan that is refused is another one. */
async function isPlanSame(on: Mcp, row: ApprovalRow, { caller, signal }: Deciding): Promise<boolean> {
  const call: StoredCall = JSON.parse(on.store.unseal(row.sealed_call))
  const visitor = { ip: call.ip, requestId: caller.requestId, userAgent: '' }
  const agent = await agentNow(on, row.key_id, { visitor, signal })
  if (agent === undefined) throw KeyEnded()
  const { method, planPath, planDigest, body } = call
  const planned = await on.callForAgent(agent, { method, path: planPath, ...(body && { body }) })
  if (planned.status >= 500)
    throw Unavailable(`The change cannot be planned at the moment: HTTP ${planned.status}`)
  return planned.planDigest === planDigest
}
