import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { permissions, permissionSlugs } from '../../core/permissions.ts'
import { BadRequest } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { type Belongings, type Deletion, findUsers, type UserRow } from '../users/index.ts'
import { usedOf } from './budgets.ts'
import type { Mcp } from './context.ts'
import type { McpKey, McpKeyDraft, NewMcpKey } from './model.ts'
import { hashToken, type McpKeyRow, mcpKeys } from './store.ts'

const keyLock = lock('mcp-key')

/** Lists the keys of all owners, newest first. */
export async function listKeys({ queries, users }: Mcp, now: Date): Promise<McpKey[]> {
  const rows = await queries.all()
  const usages = new Map((await queries.usages()).map((usage) => [usage.key_id, usage]))
  const owners = await findUsers(users, [...new Set(rows.map(({ user_id: id }) => id))])
  const byId = new Map(owners.map((owner) => [owner.id, owner]))
  return rows.flatMap((row) => {
    const owner = byId.get(row.user_id)
    if (owner === undefined) return []
    const used = usedOf(row, usages.get(row.id), now)
    return [{ ...showKey(row, owner), ...(used && { used }) }]
  })
}

/** Lists the values that `scopes` may have: the permissions. */
export const listScopes = () => permissionSlugs.map((value) => ({ value, title: permissions[value] }))

/** Draws a key. */
export const drawToken = (): string => `mcp_${randomBytes(32).toString('hex')}`

interface Issuing extends Pick<Deciding, 'now' | 'id'> {
  readonly token: string
}

/** Returns the row of a new key, for a change that also tells its holder. */
export const newKey = (
  owner: Pick<UserRow, 'id'>,
  draft: Omit<McpKeyDraft, 'user_id'>,
  { token, now, id }: Issuing,
): McpKeyRow =>
  mcpKeys.row({
    id: id(mcpKeys.name),
    user_id: owner.id,
    name: draft.name === '' ? 'mcp-key' : draft.name,
    key_hash: hashToken(token),
    key_prefix: token.slice(0, 12),
    scopes: knownScopes(draft.scopes),
    read_only: draft.read_only,
    approve: draft.approve,
    max_calls: draft.budget?.calls ?? null,
    max_changes: draft.budget?.changes ?? null,
    max_bytes: draft.budget?.bytes ?? null,
    enabled: true,
    expires_at: endOf(draft.expires_in_days, now),
    created_at: now.toISOString(),
  })

/** The write that stores a new key. */
export const keyInsertion = (row: McpKeyRow) => mcpKeys.insert(row)

/** The write that deletes a key, if it is still there. */
export const keyRemoval = (id: number) => mcpKeys.delete({ id })

/** Creates a key, which only the reply shows. */
export function createKey(
  owner: UserRow,
  draft: McpKeyDraft,
  { now, id }: Deciding,
): Change<Static<typeof NewMcpKey>> {
  const token = drawToken()
  const row = newKey(owner, draft, { token, now, id })
  return change({
    summary: `Create MCP key ${row.name} for ${owner.email}`,
    rows: [mcpKeys.insert(row)],
    reply: { key: showKey(row, owner), token },
  })
}

/** Enables a disabled key, or disables an enabled one. */
export function toggleKey(row: McpKeyRow): Change<{ success: true }> {
  const enabled = row.enabled === 0
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} MCP key ${row.name}`,
    locks: [keyLock(row.id)],
    rows: [mcpKeys.updateWhere({ id: row.id, enabled: row.enabled }, { enabled })],
    reply: success,
  })
}

/** Deletes a key: calls with it end. */
export function deleteKey(row: McpKeyRow): Change<{ success: true }> {
  return change({
    summary: `Delete MCP key ${row.name}`,
    locks: [keyLock(row.id)],
    rows: [mcpKeys.delete({ id: row.id })],
    reply: success,
  })
}

/** The keys of a deleted user are deleted. */
export async function keysOfDeleted({ queries }: Mcp, { user }: Deletion): Promise<Belongings> {
  const { length: count } = await queries.ofUser(user.id)
  return {
    details: count === 0 ? [] : [count === 1 ? '1 MCP key is deleted' : `${count} MCP keys are deleted`],
    rows: [mcpKeys.delete({ user_id: user.id })],
  }
}

/** Unknown scopes are dropped; a list that would become empty by that would allow everything. */
function knownScopes(asked: readonly string[]): string[] {
  const known = permissionSlugs.filter((slug) => asked.includes(slug))
  if (asked.length > 0 && known.length === 0)
    throw BadRequest(
      `scopes: contains no permission: use some of ${permissionSlugs.join(', ')}, or none at all`,
    )
  return known
}

const dayMs = 86_400_000

const endOf = (days: number, now: Date): string | null =>
  days <= 0 ? null : new Date(now.getTime() + days * dayMs).toISOString()

function showKey(row: McpKeyRow, owner: UserRow): McpKey {
  const { expires_at, last_used, max_calls, max_changes, max_bytes, ...shown } = mcpKeys.show(row)
  return {
    ...shown,
    budget: {
      ...(max_calls !== null && { calls: max_calls }),
      ...(max_changes !== null && { changes: max_changes }),
      ...(max_bytes !== null && { bytes: max_bytes }),
    },
    username: owner.username ?? owner.email,
    ...(expires_at !== null && { expires_at }),
    ...(last_used !== null && { last_used }),
  }
}
