import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { permissions, type PermissionSlug, permissionSlugs } from '../../core/permissions.ts'
import { BadRequest, NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import {
  type Belongings,
  type Deletion,
  findUser,
  findUsers,
  permissionsOf,
  type UserRow,
  type Users,
} from '../users/index.ts'
import { usedOf } from './budgets.ts'
import type { Mcp } from './context.ts'
import { isInForce } from './in-force.ts'
import type { McpKey, McpKeyDraft, NewMcpKey, RightsNow } from './model.ts'
import { hashToken, type McpKeyRow, mcpKeys } from './store.ts'

const keyLock = lock('mcp-key')

/** Lists the keys of all owners, newest first. */
export async function listKeys({ queries, users }: Mcp, now: Date): Promise<McpKey[]> {
  const rows = await queries.all()
  const usages = new Map((await queries.usages()).map((usage) => [usage.key_id, usage]))
  const owners = await findUsers(users, [...new Set(rows.map(({ user_id: id }) => id))])
  const byId = new Map(owners.map((owner) => [owner.id, owner]))
  const rights = await rightsOfOwners(users, owners)
  return rows.flatMap((row) => {
    const owner = byId.get(row.user_id)
    if (owner === undefined) return []
    const used = usedOf(row, usages.get(row.id), now)
    return [{ ...showKey(row, owner, rights.get(owner.id)), ...(used && { used }) }]
  })
}

type Slugs = readonly PermissionSlug[]

/** The permissions that owners of keys have at the moment. */
async function rightsOfOwners(users: Users, owners: readonly UserRow[]): Promise<ReadonlyMap<number, Slugs>> {
  const found = owners.map(async ({ id, is_admin }) => {
    const held = is_admin === 1 ? permissionSlugs : await permissionsOf(users, id)
    return [id, held] as const
  })
  return new Map(await Promise.all(found))
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

/** Loads the owner of a new key. */
export async function loadOwner({ users }: Mcp, id: number): Promise<UserRow> {
  const owner = await findUser(users, id)
  if (owner === undefined) throw NotFound(`user_id: there is no user ${id}`)
  return owner
}

/** Creates a key, which only the reply shows. */
export async function createKey(
  { users }: Mcp,
  { owner, draft }: { readonly owner: UserRow; readonly draft: McpKeyDraft },
  { now, id }: Deciding,
): Promise<Change<Static<typeof NewMcpKey>>> {
  const token = drawToken()
  const row = newKey(owner, draft, { token, now, id })
  const rights = await rightsOfOwners(users, [owner])
  return change({
    summary: `Create MCP key ${row.name} for ${owner.email}`,
    rows: [mcpKeys.insert(row)],
    reply: { key: showKey(row, owner, rights.get(owner.id)), token },
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

function showKey(row: McpKeyRow, owner: UserRow, held: Slugs = []): McpKey {
  const { expires_at, last_used, max_calls, max_changes, max_bytes, ...shown } = mcpKeys.show(row)
  return {
    ...shown,
    budget: {
      ...(max_calls !== null && { calls: max_calls }),
      ...(max_changes !== null && { changes: max_changes }),
      ...(max_bytes !== null && { bytes: max_bytes }),
    },
    rights_now: rightsNow(row, owner, held),
    username: owner.username ?? owner.email,
    ...(expires_at !== null && { expires_at }),
    ...(last_used !== null && { last_used }),
  }
}

/** What a key allows, as the gates of the surface see it: what is for superusers belongs to the administration of the host. */
function rightsNow(row: McpKeyRow, { is_admin, is_suspended }: UserRow, held: Slugs): RightsNow {
  const { scopes } = mcpKeys.show(row)
  const isAllowed = (slug: PermissionSlug) => scopes.length === 0 || scopes.includes(slug)
  return {
    state: stateOfKey(row, is_suspended === 1),
    is_superuser: is_admin === 1 && isAllowed('administrative_operations'),
    permissions: held.filter(isAllowed),
  }
}

function stateOfKey(row: McpKeyRow, isOwnerSuspended: boolean): RightsNow['state'] {
  if (row.enabled === 0) return 'disabled'
  if (!isInForce(row)) return 'expired'
  return isOwnerSuspended ? 'owner_suspended' : 'active'
}
