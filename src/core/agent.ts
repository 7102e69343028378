import type { Caller } from './caller.ts'
import type { PermissionSlug } from './permissions.ts'

/** An agent that calls through an MCP key: the owner of the key, limited by the key. */
export interface Agent {
  /** The owner with their current rights, which are the limit of the key. */
  readonly owner: Caller & { readonly mcpKeyId: number }
  /** What the key is limited to; empty: all that the owner may do. */
  readonly scopes: readonly PermissionSlug[]
  readonly isReadOnly: boolean
  /** Ends when the agent disconnects, or the key does. */
  readonly signal: AbortSignal
}

/** An answer of JSON-RPC 2.0. */
export interface RpcAnswer {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** One message of an agent. */
export interface RpcMessage {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** Answers a message of an agent; undefined for a notification, which is handled all the same. */
export type AnswerAgent = (message: RpcMessage, agent: Agent) => Promise<RpcAnswer | undefined>
