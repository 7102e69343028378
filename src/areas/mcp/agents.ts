import type { Agent } from '../../core/agent.ts'
import type { Caller, Visitor } from '../../core/caller.ts'
import { permissionSlugs } from '../../core/permissions.ts'
import { openPlans } from './asked-plans.ts'
import { hasBudget } from './budgets.ts'
import type { Mcp } from './context.ts'
import { isInForce } from './in-force.ts'
import { mcpKeys, type McpKeyRow } from './store.ts'

/** Makes the agent of a key from its owner as they are now. */
export function agentOf(on: Mcp, row: McpKeyRow, owner: Caller, signal: AbortSignal): Agent {
  const { scopes, read_only: isReadOnly, approve } = mcpKeys.show(row)
  const budget = on.budgets.of(row)
  return {
    owner: { ...owner, mcpKeyId: row.id, ...(isLimited(row) && { isLimited: true as const }) },
    scopes: permissionSlugs.filter((slug) => scopes.includes(slug)),
    isReadOnly,
    ...(budget && { budget }),
    ...(approve && { approvals: openPlans(on, row, owner.ip) }),
    signal,
  }
}

/** The agent of a key that asked earlier, as the key and its owner are now; undefined if the key has ended. */
export async function agentNow(
  on: Mcp,
  keyId: number,
  { visitor, signal }: { readonly visitor: Visitor; readonly signal: AbortSignal },
): Promise<Agent | undefined> {
  const row = await on.queries.byId(keyId)
  if (row === undefined || !isInForce(row)) return undefined
  const owner = await on.credentials.now({ userId: row.user_id, keyId: null, visitor })
  return owner && agentOf(on, row, owner, signal)
}

/**
 * Such a key changes the access of nobody, as an API key with limits: it could free itself. One whose changes wait for
 * a person cannot.
 */
export const isLimited = (row: McpKeyRow): boolean =>
  row.scopes !== '[]' || row.read_only === 1 || row.expires_at !== null || hasBudget(row)
