import type { Agent } from '../../core/agent.ts'
import { BadRequest, Forbidden, Problem, type ProblemKind } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { denialOf, isCallable } from './gates.ts'
import { routesAt, type Target, targetOf } from './target.ts'
import type { AgentTokens } from './tokens.ts'
import type { Tool } from './tools.ts'

/** A request of the panel to itself. */
export interface OwnRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body?: object
  readonly token: string
  readonly signal: AbortSignal
}

/** Its answer, as far as it was read. */
export interface OwnAnswer {
  readonly status: number
  readonly text: string
  /** True if the answer was larger than what is read of it, or had not ended in time. */
  readonly isTruncated: boolean
}

/** Sends a request over loopback; rejects with a problem if there is no answer. */
export type OwnCall = (request: OwnRequest) => Promise<OwnAnswer>

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
export interface Calling {
  readonly routes: readonly Route[]
  readonly call: OwnCall
  readonly tokens: AgentTokens
  readonly record: (call: ToolCall) => Promise<void>
}

/** The result of a tool in the shape of MCP. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Runs a tool for an agent, and records the call. What fails is a result too, with `isError`. */
export async function callTool(on: Calling, tool: Tool, given: unknown, agent: Agent): Promise<ToolResult> {
  const { name } = tool.description
  if (name === 'list_endpoints') return listEndpoints(on, tool, given, agent)
  const asked: { method: string; path: string } = { method: 'POST', path: '/api/mcp' }
  const result = await send(on, tool, given, { agent, asked }).catch((error) => failed(error))
  const [first = ''] = (result.content[0]?.text ?? '').split('\n')
  await on.record({ agent, tool: name, ...asked, isOk: !result.isError, message: `${name}: ${first}` })
  return result
}

interface Sending {
  readonly agent: Agent
  /** Receives what is asked for, once that is known. */
  readonly asked: { method: string; path: string }
}

async function send(on: Calling, tool: Tool, given: unknown, { agent, asked }: Sending): Promise<ToolResult> {
  const { method, target, body } = requestOf(tool, argumentsOf(tool, given))
  Object.assign(asked, { method, path: target.path })
  const found = routesAt(on.routes, method, target)
  const denial = denialOf(agent, { method, parts: target.parts, found })
  if (denial !== undefined) throw Forbidden(denial)
  const { token, revoke } = on.tokens.mint(agent)
  try {
    const path = `${target.path}${target.query}`
    const answer = await on.call({ method, path, token, signal: agent.signal, ...(body && { body }) })
    return resultOf(answer, found)
  } finally {
    revoke()
  }
}

function argumentsOf({ bind }: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const bound = bind(given ?? {})
  if (bound.issue !== undefined) throw BadRequest(bound.issue)
  return bound.value
}

interface Requested {
  readonly method: string
  readonly target: Target
  readonly body?: object | undefined
}

function requestOf({ curated }: Tool, values: Readonly<Record<string, unknown>>): Requested {
  if (curated === undefined) return requestOfApiCall(values)
  const path = curated.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathPart(name, values[name]))
  return { method: curated.method, target: targetOf(path) }
}

/** A value is one part of the path: `..` would name another endpoint. */
function pathPart(name: string, value: unknown): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..') throw BadRequest(`${name}: must be a name`)
  return encodeURIComponent(text)
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function requestOfApiCall(values: Readonly<Record<string, unknown>>): Requested {
  const method = String(values['method']).toUpperCase()
  if (!methods.includes(method)) throw BadRequest(`method: must be one of ${methods.join(', ')}`)
  const target = targetOf(String(values['path']))
  const joint = target.query === '' ? '?' : '&'
  const query = values['plan'] === true ? `${target.query}${joint}plan=1` : target.query
  return { method, target: { ...target, query }, ...(method !== 'GET' && { body: bodyIn(values) }) }
}

const bodyIn = ({ body }: Readonly<Record<string, unknown>>): object | undefined =>
  typeof body === 'object' && body !== null ? body : undefined

function resultOf({ status, text, isTruncated }: OwnAnswer, found: readonly Route[]): ToolResult {
  const meta = {
    ...(isTruncated && { truncated: true }),
    ...(found.some(hasForeignText) && { untrusted: true }),
  }
  return textResult(`HTTP ${status}\n${pretty(text)}`, status >= 400, meta)
}

/** Files, logs and mail contain what anybody may have written: an agent must not take it for instructions. */
const hasForeignText = ({ area, endpoint, path }: Route): boolean =>
  ['bytes', 'events', 'followed'].includes(endpoint.reply.kind) ||
  ['filemanager', 'mail', 'activity'].includes(area.name) ||
  /\/(?:logs|queue)\b/.test(path)

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function textResult(
  text: string,
  isError: boolean,
  meta: Readonly<Record<string, unknown>> = {},
): ToolResult {
  return {
    content: [{ type: 'text', text }],
    isError,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
}

/** A failure before the request, in the form of its answer. */
function failed(error: unknown): ToolResult {
  if (!(error instanceof Problem)) throw error
  const { status, code }: ProblemKind = error.kind
  return textResult(
    `HTTP ${status}\n${pretty(JSON.stringify({ error: { code, message: error.message } }))}`,
    true,
  )
}

/** Lists the endpoints that a key may call; it makes no request. */
async function listEndpoints(on: Calling, tool: Tool, given: unknown, agent: Agent): Promise<ToolResult> {
  const bound = tool.bind(given ?? {})
  const isOk = bound.issue === undefined
  await on.record({
    agent,
    tool: 'list_endpoints',
    method: 'POST',
    path: '/api/mcp',
    isOk,
    message: 'list_endpoints',
  })
  if (bound.issue !== undefined) return failed(BadRequest(bound.issue))
  const wanted = String(bound.value.query ?? '').toLowerCase()
  const shown = on.routes
    .filter((route) => isCallable(agent, route))
    .map(({ endpoint, path }) => ({ line: `${endpoint.method} ${path}`, effect: endpoint.effect }))
    .filter(({ line }) => line.toLowerCase().includes(wanted))
  const effects = Object.fromEntries(shown.map(({ line, effect }) => [line, effect]))
  return textResult(shown.map(({ line }) => line).join('\n'), false, { effects })
}
