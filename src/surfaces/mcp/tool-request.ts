import type { AgentCall } from '../../core/agent.ts'
import { BadRequest } from '../../core/problem.ts'
import { type Target, targetOf } from './target.ts'
import type { Tool } from './tools.ts'

/** The request that a call of a tool asks for. */
export interface ToolRequest extends Pick<AgentCall, 'method' | 'body'> {
  readonly target: Target
  /** The plan whose outcome is asked for, instead of a request. */
  readonly planId?: number
}

/** Reads the request from the arguments of a tool; throws BadRequest if they do not fit. */
export function requestOf(tool: Tool, given: unknown): ToolRequest {
  const values = argumentsOf(tool, given)
  const { curated } = tool
  if (curated === undefined) return requestOfApiCall(values)
  const path = curated.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathPart(name, values[name]))
  return { method: curated.method, target: targetOf(path) }
}

/** Binds the arguments of a tool. */
export function argumentsOf({ bind }: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const bound = bind(given ?? {})
  if (bound.issue !== undefined) throw BadRequest(bound.issue)
  return bound.value
}

/** A value is one part of the path: `..` would name another endpoint. */
function pathPart(name: string, value: unknown): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..') throw BadRequest(`${name}: must be a name`)
  return encodeURIComponent(text)
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function requestOfApiCall(values: Readonly<Record<string, unknown>>): ToolRequest {
  const method = String(values['method']).toUpperCase()
  if (!methods.includes(method)) throw BadRequest(`method: must be one of ${methods.join(', ')}`)
  const target = targetOf(String(values['path']))
  const joint = target.query === '' ? '?' : '&'
  const query = values['plan'] === true ? `${target.query}${joint}plan=1` : target.query
  const planId = values['plan_id']
  return {
    method,
    target: { ...target, query },
    ...(method !== 'GET' && bodyIn(values)),
    ...(typeof planId === 'number' && { planId }),
  }
}

const bodyIn = ({ body }: Readonly<Record<string, unknown>>): { readonly body?: object } =>
  typeof body === 'object' && body !== null ? { body } : {}
