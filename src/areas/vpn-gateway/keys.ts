import { type Change, change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnApiKey, VpnPreAuthKey, VpnPreAuthKeyDraft } from './model.ts'
import { loadUser } from './users.ts'

const hourMs = 3_600_000
const apiKeyDays = 90

/** Lists the keys with which nodes join, shortened. */
export async function listPreAuthKeys({ server }: VpnGateway, now: Date): Promise<VpnPreAuthKey[]> {
  return (await server.listPreAuthKeys()).map((key) => ({
    id: key.id,
    prefix: key.key,
    user: key.user?.name ?? null,
    reusable: key.isReusable,
    ephemeral: key.isEphemeral,
    used: key.isUsed,
    expires_at: key.expiresAt,
    expired: key.expiresAt !== null && key.expiresAt <= now.toISOString(),
    created_at: key.createdAt,
  }))
}

interface CreatedKey {
  id: number
  key: string
  server_url: string
  expires_at: string
}

/** Makes a key with which nodes of a user join; it is in this reply alone. */
export async function createPreAuthKey(
  on: VpnGateway,
  { user: name, reusable, ephemeral, valid_hours }: VpnPreAuthKeyDraft,
  now: Date,
): Promise<Change<CreatedKey>> {
  const user = await loadUser(on, name, 'user')
  const { domain } = await on.queries.settings()
  const expires_at = new Date(now.getTime() + valid_hours * hourMs).toISOString()
  const making = step(on.server.steps.createPreAuthKey, {
    ...{ user_id: user.id, reusable, ephemeral, expires_at, tags: [] },
  })
  return change({
    summary: `Make a key with which ${reusable ? 'nodes' : 'a node'} of ${name} can join`,
    locks: [meshLock],
    steps: [making],
    reply: {
      id: from(making, 'id'),
      key: from(making, 'key'),
      server_url: `https://${domain ?? ''}`,
      expires_at,
    },
  })
}

/** Ends a key, so that no further node joins with it. */
export async function expirePreAuthKey(
  { server }: VpnGateway,
  { id }: { readonly id: number },
): Promise<Change<{ success: true }>> {
  if (!(await server.listPreAuthKeys()).some((key) => key.id === id))
    throw NotFound(`id: the mesh has no key ${id}`)
  return change({
    summary: `Expire the key ${id} of the mesh`,
    locks: [meshLock],
    steps: [step(server.steps.expirePreAuthKey, { id })],
    reply: success,
  })
}

/** Lists the keys of the API of the control server by their prefixes. */
export async function listApiKeys({ server }: VpnGateway): Promise<VpnApiKey[]> {
  const stored = await server.readStoredKey()
  return (await server.listApiKeys()).map((key) => ({
    id: key.id,
    prefix: key.prefix,
    expires_at: key.expiresAt,
    created_at: key.createdAt,
    last_seen: key.lastSeen,
    is_of_panel: stored !== undefined && isOfPrefix(stored.key, key.prefix),
  }))
}

/** The list shows `hskey-api-PREFIX-***`. */
const isOfPrefix = (key: string, shown: string): boolean => key.startsWith(shown.replace(/\*+$/, ''))

/** Makes a key of the API for another program; it is in this reply alone. */
export function createApiKey({ server }: VpnGateway, now: Date): Change<{ success: true; key: string }> {
  const expires_at = new Date(now.getTime() + apiKeyDays * 24 * hourMs).toISOString()
  const making = step(server.steps.createApiKey, { expires_at })
  return change({
    summary: 'Make an API key of the control server',
    locks: [meshLock],
    steps: [making],
    reply: { ...success, key: from(making, 'key') },
  })
}
