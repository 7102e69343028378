import type { Agent, AgentAnswer, AgentCall, CallForAgent } from '../../core/agent.ts'
import { Forbidden } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { denialOf } from './gates.ts'
import { routesAt, targetOf } from './target.ts'
import type { AgentTokens } from './tokens.ts'

/** A request of the panel to itself. */
export interface OwnRequest extends AgentCall {
  readonly headers?: Readonly<Record<string, string>>
  readonly token: string
  readonly signal: AbortSignal
}

/** Sends a request over loopback; rejects with a problem if there is no answer. */
export type OwnCall = (request: OwnRequest) => Promise<AgentAnswer>

/** The parts by which the panel calls itself in the name of agents. */
export interface AgentCalls {
  readonly call: OwnCall
  readonly tokens: AgentTokens
}

/** Sends a request that passed the gates, with a token that ends with it. */
export async function callOwn(
  { call, tokens }: AgentCalls,
  agent: Agent,
  asked: Omit<OwnRequest, 'token' | 'signal'>,
): Promise<AgentAnswer> {
  const { token, revoke } = tokens.mint(agent)
  try {
    return await call({ ...asked, token, signal: agent.signal })
  } finally {
    revoke()
  }
}

/** Opens the requests that are made later than the agent asked for them: they pass the gates again. */
export function openAgentCalls({
  routes,
  ...calls
}: AgentCalls & { readonly routes: () => readonly Route[] }): CallForAgent {
  return async (agent, asked) => {
    const target = targetOf(asked.path)
    const found = routesAt(routes(), asked.method, target)
    const denial = denialOf(agent, { method: asked.method, parts: target.parts, found })
    if (denial !== undefined) throw Forbidden(denial)
    return callOwn(calls, agent, asked)
  }
}
