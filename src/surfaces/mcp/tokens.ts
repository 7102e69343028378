import { createHash, randomBytes } from 'node:crypto'
import type { Agent } from '../../core/agent.ts'
import type { Caller, Visitor } from '../../core/caller.ts'

const lifeMs = 120_000

/** The tokens by which the panel calls itself for agents: each for one call, in memory only. */
export interface AgentTokens {
  mint(agent: Agent): { readonly token: string; revoke(): void }
  /** Returns the caller of a token, at the address of the agent; undefined if it is none, or has ended. */
  find(token: string, visitor: Visitor): Caller | undefined
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Opens the tokens. */
export function openAgentTokens(clock: () => number = () => performance.now()): AgentTokens {
  const minted = new Map<string, { readonly agent: Agent; readonly endsAt: number }>()
  return {
    mint: (agent) => {
      const token = `hrm_${randomBytes(32).toString('base64url')}`
      const hash = hashOf(token)
      minted.set(hash, { agent, endsAt: clock() + lifeMs })
      return { token, revoke: () => void minted.delete(hash) }
    },
    find: (token, visitor) => {
      if (!token.startsWith('hrm_')) return undefined
      const hash = hashOf(token)
      const found = minted.get(hash)
      if (found === undefined) return undefined
      if (clock() < found.endsAt) return { ...found.agent.owner, ...visitor, ip: found.agent.owner.ip }
      minted.delete(hash)
      return undefined
    },
  }
}
