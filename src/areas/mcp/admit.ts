import type { RpcAnswer, RpcMessage } from '../../core/agent.ts'
import type { Caller } from '../../core/caller.ts'
import type { RpcHeaders } from '../../core/endpoint.ts'
import type { KeyVerdict, SentKey } from '../../core/guard.ts'
import { Unauthorized } from '../../core/problem.ts'
import type { Rpc } from '../../core/reply.ts'
import { agentOf, isLimited } from './agents.ts'
import type { Mcp } from './context.ts'
import { isInForce } from './in-force.ts'
import type { McpKeyQueries, McpKeyRow } from './store.ts'

const markEveryMs = 60_000

/** Finds the owner behind a key, who is the caller; wrong if it is unknown, disabled or expired, or its owner suspended. */
export async function admitKey(on: Mcp, { key, isFromQuery, visitor }: SentKey): Promise<KeyVerdict> {
  if (isFromQuery && !on.takesQueryToken) return 'wrong'
  const row = /^mcp_[0-9a-f]{64}$/.test(key) ? await on.queries.byToken(key) : undefined
  if (row === undefined || !isInForce(row)) return 'wrong'
  const owner = await on.credentials.now({ userId: row.user_id, keyId: null, visitor })
  if (owner === undefined) return 'wrong'
  await markUsed(on.queries, row, new Date())
  return { ...owner, mcpKeyId: row.id, ...(isLimited(row) && { isLimited: true as const }) }
}

interface Asking {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly rpcHeaders: () => RpcHeaders
}

/** Answers a message of the owner's agent. */
export async function answerMessage(
  on: Mcp,
  message: RpcMessage,
  { caller, signal: request, rpcHeaders }: Asking,
): Promise<Rpc<RpcAnswer> | undefined> {
  const { mcpKeyId } = caller
  const row = mcpKeyId === undefined ? undefined : await on.queries.byId(mcpKeyId)
  if (row === undefined) throw Unauthorized()
  const { signal, release } = on.running.hold(row.id, request)
  try {
    return await on.answerAgent(message, agentOf(on, row, caller, signal), rpcHeaders())
  } finally {
    release()
  }
}

async function markUsed(
  queries: McpKeyQueries,
  { id, last_used: last }: McpKeyRow,
  now: Date,
): Promise<void> {
  if (last !== null && now.getTime() - Date.parse(last) < markEveryMs) return
  await queries.markUsed(id, now).catch(() => {}) // the time of last use is a courtesy
}
