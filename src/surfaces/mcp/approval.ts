import type { TSchema } from 'typebox'
import type { Agent, AgentApprovals, AgentCall } from '../../core/agent.ts'
import { decidesChange } from '../../core/endpoint.ts'
import { problem } from '../../core/problem.ts'
import { redactor } from '../../core/secret.ts'
import type { Route } from '../routes.ts'
import { type AgentCalls, callOwn } from './agent-calls.ts'
import type { ToolRequest } from './tool-request.ts'
import type { ToolAnswer } from './tool-result.ts'

const PlanVaries = problem(
  'plan_varies',
  409,
  'The plan of this call contains generated values and differs each time, so that nobody can approve it: ask a person to make the change',
)
const PlanTooLarge = problem(
  'plan_too_large',
  409,
  'The plan of this call is too large to be shown to a person: divide the change',
)

/** True if one of the endpoints that a request can mean decides on a change. */
export const decidesAny = (found: readonly Route[]): boolean =>
  found.some(({ endpoint }) => decidesChange(endpoint.effect))

/** True if a request changes something: its plan alone changes nothing. */
export const asksForChange = (found: readonly Route[], { target: { query } }: ToolRequest): boolean =>
  decidesAny(found) && !asksForPlan(new URLSearchParams(query))

const asksForPlan = (query: URLSearchParams): boolean =>
  query.getAll('plan').some((value) => value !== '0' && value !== 'false')

interface Planning {
  readonly calls: AgentCalls
  readonly agent: Agent
  readonly found: readonly Route[]
  readonly asked: ToolRequest
}

/**
 * Stores a change for a person to approve, and answers with its plan. What is sent asks for the plan alone, whatever
 * the query says.
 */
export async function askForApproval(planning: Planning, approvals: AgentApprovals): Promise<ToolAnswer> {
  const { calls, agent, found, asked } = planning
  const { path, planPath, query } = pathsOf(asked)
  const { method, body } = asked
  const call: AgentCall = { method, path, ...(body && { body }) }
  const planned = await callOwn(calls, agent, { ...call, path: planPath })
  const { planDigest } = planned
  // a refusal, or the answer of a probe, which has no plan
  if (planDigest === undefined || !asksForChange(found, asked)) return planned
  const again = await callOwn(calls, agent, { ...call, path: planPath })
  if (planned.isTruncated) throw PlanTooLarge()
  if (again.planDigest !== planDigest) throw PlanVaries()
  await agent.budget?.countChange()
  const plan: unknown = JSON.parse(planned.text).data
  const shown = shownOf(found, query, body)
  const { id, expiresAt } = await approvals.ask({
    ...call,
    planPath,
    shown,
    plan: JSON.stringify(plan),
    planDigest,
  })
  const waiting = { plan_id: id, state: 'pending', expires_at: expiresAt, note, plan }
  return { status: 202, text: JSON.stringify({ data: waiting }), isTruncated: false, planId: id }
}

const note =
  'Nothing was changed yet: a person has to approve this plan. Call api_call with the same method and path and with plan_id to learn the outcome'

/** The paths of the change and of its plan. `plan` comes first, so that nothing in the query hides it. */
function pathsOf({ target }: ToolRequest) {
  const query = new URLSearchParams(target.query)
  query.delete('plan')
  const rest = query.toString()
  return {
    query,
    path: rest === '' ? target.path : `${target.path}?${rest}`,
    planPath: rest === '' ? `${target.path}?plan=1` : `${target.path}?plan=1&${rest}`,
  }
}

/** The query and the body of a request without the secrets that any of its possible endpoints declares. */
function shownOf(found: readonly Route[], query: URLSearchParams, body: object | undefined): object {
  const without = (schemas: readonly (TSchema | undefined)[], value: unknown): unknown =>
    schemas.reduce<unknown>((left, schema) => (schema ? (redactor(schema)?.(left) ?? left) : left), value)
  const shownQuery = without(
    found.map(({ endpoint }) => endpoint.query),
    Object.fromEntries(query),
  )
  const shownBody = without(found.map(bodySchema), body)
  return { query: shownQuery, ...(shownBody !== undefined && { body: shownBody }) }
}

/** The schema of a body of JSON; agents send no files. */
function bodySchema({ endpoint: { body } }: Route): TSchema | undefined {
  return body === undefined || 'kind' in body ? undefined : body
}
