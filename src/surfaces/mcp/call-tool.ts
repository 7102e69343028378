import type { Agent } from '../../core/agent.ts'
import { BadRequest, Forbidden } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { type AgentCalls, callOwn } from './agent-calls.ts'
import { askForApproval, asksForChange, decidesAny } from './approval.ts'
import { denialOf, isCallable } from './gates.ts'
import { routesAt } from './target.ts'
import { argumentsOf, requestOf, type ToolRequest } from './tool-request.ts'
import { failed, resultOf, textResult, type ToolAnswer, type ToolResult, within } from './tool-result.ts'
import type { Tool } from './tools.ts'

/** A call of a tool, for the activity log. */
export interface ToolCall {
  readonly agent: Agent
  readonly tool: string
  readonly method: string
  readonly path: string
  readonly isOk: boolean
  readonly message: string
}

/** What calls need. */
export interface Calling extends AgentCalls {
  readonly routes: readonly Route[]
  readonly record: (call: ToolCall) => Promise<void>
}

/** Runs a tool for an agent, and records the call. What fails is a result too, with `isError`. */
export async function callTool(on: Calling, tool: Tool, given: unknown, agent: Agent): Promise<ToolResult> {
  const { name } = tool.description
  const asked: Asked = { method: 'POST', path: '/api/mcp' }
  const result = await answer(on, tool, given, { agent, asked }).catch((error) => failed(error))
  const [first = ''] = (result.content[0]?.text ?? '').split('\n')
  const message = name === 'list_endpoints' && !result.isError ? name : `${name}: ${first}`
  await on.record({ agent, tool: name, ...asked, isOk: !result.isError, message })
  return result
}

interface Asked {
  method: string
  path: string
}

interface Sending {
  readonly agent: Agent
  /** Receives what is asked for, once that is known. */
  readonly asked: Asked
}

async function answer(on: Calling, tool: Tool, given: unknown, sending: Sending): Promise<ToolResult> {
  const { agent } = sending
  await agent.budget?.countCall()
  const result =
    tool.description.name === 'list_endpoints'
      ? listEndpoints(on, argumentsOf(tool, given), agent)
      : await send(on, requestOf(tool, given), sending)
  return within(agent.budget, result)
}

async function send(on: Calling, request: ToolRequest, { agent, asked }: Sending): Promise<ToolResult> {
  const { method, target, body, planId } = request
  Object.assign(asked, { method, path: target.path })
  const found = routesAt(on.routes, method, target)
  const denial = denialOf(agent, { method, parts: target.parts, found })
  if (denial !== undefined) throw Forbidden(denial)
  if (planId !== undefined) return resultOf(await outcomeOf(agent, planId, request), found)
  if (agent.approvals !== undefined && decidesAny(found)) {
    const planning = { calls: on, agent, found, asked: request }
    return resultOf(await askForApproval(planning, agent.approvals), found)
  }
  if (asksForChange(found, request)) await agent.budget?.countChange()
  const path = `${target.path}${target.query}`
  return resultOf(await callOwn(on, agent, { method, path, ...(body && { body }) }), found)
}

/** What became of a plan; the request must be the one that it is of. */
async function outcomeOf(agent: Agent, planId: number, { method, target }: ToolRequest): Promise<ToolAnswer> {
  if (agent.approvals === undefined)
    throw BadRequest('plan_id: the changes of this key need no approval, so that it has no plans')
  const { path, status, text, ...outcome } = await agent.approvals.outcome(planId)
  const [planned = ''] = path.split('?')
  if (outcome.method !== method || planned !== target.path)
    throw BadRequest(`plan_id: ${planId} is the plan of ${outcome.method} ${planned}`)
  return { status, text, isTruncated: false, planId }
}

/** Lists the endpoints that a key may call; it makes no request. */
function listEndpoints(
  on: Calling,
  { query = '' }: Readonly<Record<string, unknown>>,
  agent: Agent,
): ToolResult {
  const wanted = String(query).toLowerCase()
  const shown = on.routes
    .filter((route) => isCallable(agent, route))
    .map(({ endpoint, path }) => ({ line: `${endpoint.method} ${path}`, effect: endpoint.effect }))
    .filter(({ line }) => line.toLowerCase().includes(wanted))
  const effects = Object.fromEntries(shown.map(({ line, effect }) => [line, effect]))
  return textResult(shown.map(({ line }) => line).join('\n'), false, { effects })
}
