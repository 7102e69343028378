import Type from 'typebox'
import { type HeadscaleApi, parserOf } from './api.ts'

// The server leaves out what is empty in some versions, and sends ids as texts.
const Maybe = (schema: Parameters<typeof Type.Union>[0][number]) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const ApiText = Type.String({ maxLength: 10_000 })
const Texts = Type.Optional(Type.Union([Type.Array(ApiText), Type.Null()]))
const OfUser = Type.Object({ id: ApiText, name: ApiText })

const parseUsers = parserOf(
  Type.Object({
    users: Type.Array(
      Type.Object({ id: ApiText, name: ApiText, displayName: Maybe(ApiText), createdAt: Maybe(ApiText) }),
    ),
  }),
)

const parseNodes = parserOf(
  Type.Object({
    nodes: Type.Array(
      Type.Object({
        ...{ id: ApiText, name: Maybe(ApiText), givenName: Maybe(ApiText), user: Maybe(OfUser) },
        ...{ ipAddresses: Texts, online: Maybe(Type.Boolean()), lastSeen: Maybe(ApiText) },
        ...{ expiry: Maybe(ApiText), createdAt: Maybe(ApiText), registerMethod: Maybe(ApiText) },
        ...{ approvedRoutes: Texts, availableRoutes: Texts, subnetRoutes: Texts, tags: Texts },
      }),
    ),
  }),
)

const parsePreAuthKeys = parserOf(
  Type.Object({
    preAuthKeys: Type.Array(
      Type.Object({
        ...{ id: ApiText, key: ApiText, user: Maybe(OfUser), reusable: Maybe(Type.Boolean()) },
        ...{ ephemeral: Maybe(Type.Boolean()), used: Maybe(Type.Boolean()), expiration: Maybe(ApiText) },
        ...{ createdAt: Maybe(ApiText), aclTags: Texts },
      }),
    ),
  }),
)

const parseApiKeys = parserOf(
  Type.Object({
    apiKeys: Type.Array(
      Type.Object({
        ...{ id: ApiText, prefix: ApiText, expiration: Maybe(ApiText) },
        ...{ createdAt: Maybe(ApiText), lastSeen: Maybe(ApiText) },
      }),
    ),
  }),
)

export interface MeshUser {
  readonly id: number
  readonly name: string
  readonly createdAt: string | null
}

export interface MeshNode {
  readonly id: number
  readonly name: string
  /** Null for a node that belongs to tags instead. */
  readonly user: { readonly id: number; readonly name: string } | null
  readonly addresses: readonly string[]
  readonly isOnline: boolean
  readonly lastSeen: string | null
  /** Null if it never expires. */
  readonly expiresAt: string | null
  readonly createdAt: string | null
  /** The networks that may be reached through it. */
  readonly approved: readonly string[]
  /** The networks that it offers. */
  readonly advertised: readonly string[]
  /** The networks that others do reach through it now. */
  readonly serving: readonly string[]
  readonly tags: readonly string[]
}

interface PreAuthKey {
  readonly id: number
  /** Shortened by the server. */
  readonly key: string
  readonly user: { readonly id: number; readonly name: string } | null
  readonly isReusable: boolean
  readonly isEphemeral: boolean
  readonly isUsed: boolean
  readonly expiresAt: string | null
  readonly createdAt: string | null
}

interface ApiKey {
  readonly id: number
  readonly prefix: string
  readonly expiresAt: string | null
  readonly createdAt: string | null
  readonly lastSeen: string | null
}

/** Go's zero time means that there is none. */
const timeOf = (text: unknown): string | null => {
  if (typeof text !== 'string' || text.startsWith('0001-')) return null
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const ofUser = (user: unknown) => {
  if (typeof user !== 'object' || user === null || !('id' in user) || !('name' in user)) return null
  return { id: Number(user.id), name: String(user.name) }
}

/** Lists the users of the mesh. */
export async function listUsers(api: HeadscaleApi): Promise<readonly MeshUser[]> {
  const { users } = parseUsers(await api.send({ method: 'GET', path: '/user' }))
  return users.map(({ id, name, createdAt }) => ({ id: Number(id), name, createdAt: timeOf(createdAt) }))
}

/** Lists the nodes of the mesh. */
export async function listNodes(api: HeadscaleApi): Promise<readonly MeshNode[]> {
  const { nodes } = parseNodes(await api.send({ method: 'GET', path: '/node' }))
  return nodes.map((node) => ({
    id: Number(node.id),
    name: textOf(node.givenName) || textOf(node.name),
    // the server shows nodes of tags with the user tagged-devices, which does not exist
    user: (node.tags ?? []).length > 0 ? null : ofUser(node.user),
    addresses: node.ipAddresses ?? [],
    isOnline: node.online === true,
    lastSeen: timeOf(node.lastSeen),
    expiresAt: timeOf(node.expiry),
    createdAt: timeOf(node.createdAt),
    approved: node.approvedRoutes ?? [],
    advertised: node.availableRoutes ?? [],
    serving: node.subnetRoutes ?? [],
    tags: node.tags ?? [],
  }))
}

/** Lists the keys with which nodes join, shortened. */
export async function listPreAuthKeys(api: HeadscaleApi): Promise<readonly PreAuthKey[]> {
  const { preAuthKeys } = parsePreAuthKeys(await api.send({ method: 'GET', path: '/preauthkey' }))
  return preAuthKeys.map((each) => ({
    id: Number(each.id),
    key: each.key,
    user: ofUser(each.user),
    isReusable: each.reusable === true,
    isEphemeral: each.ephemeral === true,
    isUsed: each.used === true,
    expiresAt: timeOf(each.expiration),
    createdAt: timeOf(each.createdAt),
  }))
}

/** Lists the keys of the API by their prefixes. */
export async function listApiKeys(api: HeadscaleApi): Promise<readonly ApiKey[]> {
  const { apiKeys } = parseApiKeys(await api.send({ method: 'GET', path: '/apikey' }))
  return apiKeys.map((each) => ({
    id: Number(each.id),
    prefix: each.prefix,
    expiresAt: timeOf(each.expiration),
    createdAt: timeOf(each.createdAt),
    lastSeen: timeOf(each.lastSeen),
  }))
}
