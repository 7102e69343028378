import Type from 'typebox'
import type { AgentAnswer } from '../../core/agent.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import { Id } from '../../core/schemas.ts'
import { cancelled } from '../../jobs/queue.ts'
import { agentNow } from './agents.ts'
import type { StoredCall } from './asked-plans.ts'
import { job, type Mcp } from './context.ts'
import { KeyEnded } from './problems.ts'
import { type ApprovalRow, mcpApprovals } from './store.ts'

const attempts = 3
const unanswered = () =>
  Unavailable('The answer was not received: the activity log tells whether the change was carried out')
/** The longest answer that is kept, in characters. */
const longestAnswer = 256 * 1024

/** Carries out a change of an agent that a person approved. */
export const runApproved = job({
  kind: 'mcp.run-approved',
  input: Type.Object({ approval_id: Id }),
  timeoutMs: 120_000,
  attempts,
  resumes: true,
  run: async ({ mcp, input, jobId, signal, attempt }) => {
    const row = await mcp.approvals.find(input.approval_id)
    if (row?.state !== 'approved') return {}
    const answer = await answerOf(mcp, row, { requestId: `job-${jobId}`, signal }).catch(async (error) => {
      if (attempt >= attempts || signal.reason === cancelled) await end(mcp, row, answerTo(unanswered()))
      throw error
    })
    await end(mcp, row, answer)
    return { status: answer.status }
  },
})

const lostMs = 24 * 3_600_000

/** Removes old plans, and ends those whose job was cancelled before it started, once a night. */
export const pruneApprovals = job({
  kind: 'mcp.prune-approvals',
  input: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 2,
  resumes: true,
  schedule: '47 3 * * *',
  run: async ({ mcp: { approvals, store } }) => {
    const now = store.trustedNow()
    const before = now && new Date(now.getTime() - lostMs)
    const lost = before ? await approvals.endLost(before, answerTo(unanswered())) : 0
    return { lost, removed: await approvals.removeOld(now) }
  },
})

interface Running {
  readonly requestId: string
  readonly signal: AbortSignal
}

/**
 * Makes the call as the agent. It names its plan, so that nothing else is done, and a key of its own, so that a second
 * attempt gets the answer of the first. A refusal is an answer too.
 */
async function answerOf(on: Mcp, row: ApprovalRow, { requestId, signal }: Running): Promise<AgentAnswer> {
  const call: StoredCall = JSON.parse(on.store.unseal(row.sealed_call))
  const { method, path, body, planDigest, onceKey, ip } = call
  const agent = await agentNow(on, row.key_id, { visitor: { ip, requestId, userAgent: '' }, signal })
  if (agent === undefined) return answerTo(KeyEnded())
  const headers = { 'x-plan-digest': planDigest, 'idempotency-key': onceKey }
  try {
    return await on.callForAgent(agent, { method, path, headers, ...(body && { body }) })
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error
    return answerTo(error)
  }
}

const answerTo = ({ kind: { status, code }, message }: Problem): AgentAnswer => ({
  status,
  text: JSON.stringify({ error: { code, message } }),
  isTruncated: false,
})

/** Stores the end of an approved change. */
async function end({ store }: Mcp, { id }: ApprovalRow, { status, text }: AgentAnswer): Promise<void> {
  const state = status < 400 ? 'done' : codeOf(text) === 'plan_stale' ? 'stale' : 'failed'
  const answer = text.slice(0, longestAnswer).toWellFormed()
  await store.transaction((tx) =>
    store.write(tx, [mcpApprovals.updateWhere({ id, state: 'approved' }, { state, status, answer })]),
  )
}

/** The code of a refusal, in any of the shapes of errors. */
function codeOf(text: string): unknown {
  try {
    const { error } = JSON.parse(text)
    return error?.code ?? error
  } catch {
    return undefined
  }
}
