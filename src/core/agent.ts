import type { Caller } from './caller.ts'
import type { RpcHeaders } from './endpoint.ts'
import type { PermissionSlug } from './permissions.ts'
import type { Rpc } from './reply.ts'

/** An agent that calls through an MCP key: the owner of the key, limited by the key. */
export interface Agent {
  /** The owner with their current rights, which are the limit of the key. */
  readonly owner: Caller & { readonly mcpKeyId: number }
  /** What the key is limited to; empty: all that the owner may do. */
  readonly scopes: readonly PermissionSlug[]
  readonly isReadOnly: boolean
  /** Absent if the key may be used without a limit. */
  readonly budget?: AgentBudget
  /** Set if the changes of the key wait for a person. */
  readonly approvals?: AgentApprovals
  /** Ends when the agent disconnects, or the key does. */
  readonly signal: AbortSignal
}

/** What a key may use within an hour; it counts what is used. */
export interface AgentBudget {
  /** Counts a call of a tool; throws if no more are allowed, or no more bytes. */
  countCall(): Promise<void>
  /** Counts a change; throws if no more are allowed. */
  countChange(): Promise<void>
  /** Counts the bytes of an answer, and returns how many of them the budget allows. */
  countBytes(bytes: number): Promise<number>
}

/** Where the changes of an agent wait for a person. */
export interface AgentApprovals {
  /** Stores a change with its plan. */
  ask(planned: PlannedCall): Promise<{ readonly id: number; readonly expiresAt: string }>
  /** Returns what became of a change that this key asked for; 404 if it asked for none with this id. */
  outcome(id: number): Promise<CallOutcome>
}

/** A request that an agent asks for. */
export interface AgentCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body?: object
}

/** A change that waits for a person: as it is carried out, and as the person is shown it. */
interface PlannedCall extends AgentCall {
  /** The path that returns the plan instead. */
  readonly planPath: string
  /** The query and the body, without their secrets. */
  readonly shown: object
  /** The plan, as JSON. */
  readonly plan: string
  readonly planDigest: string
}

/** What became of a change: its answer, or why there is none yet. */
export interface CallOutcome {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly status: number
  readonly text: string
}

/** The answer to a request of the panel to itself, as far as it was read. */
export interface AgentAnswer {
  readonly status: number
  readonly text: string
  /** True if the answer was larger than what is read of it, or had not ended in time. */
  readonly isTruncated: boolean
  /** Set if the answer is the plan of a change. */
  readonly planDigest?: string
}

/**
 * Makes a request in the name of an agent, if its key still allows that. Rejects with a problem if not, or if there
 * is no answer.
 */
export type CallForAgent = (
  agent: Agent,
  call: AgentCall & { readonly headers?: Readonly<Record<string, string>> },
) => Promise<AgentAnswer>

/** An answer of JSON-RPC 2.0. */
export interface RpcAnswer {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** One message of an agent. */
export interface RpcMessage {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** Answers a message of an agent; undefined for a notification, which is handled all the same. */
export type AnswerAgent = (
  message: RpcMessage,
  agent: Agent,
  headers: RpcHeaders,
) => Promise<Rpc<RpcAnswer> | undefined>
