import Type, { type Static, type TSchema } from 'typebox'
import {
  Hostname,
  Id,
  OneOf,
  Optional,
  Prose,
  Revealed,
  Text,
  Time,
  TypedFileHostname,
  UnixName,
} from '../../core/schemas.ts'

const Nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const Address = Type.String({
  maxLength: 45,
  pattern: '^[0-9a-fA-F:.]{2,45}$',
  description: 'IP address',
  expects: 'an address such as 100.64.0.7',
})

/** A network, in a request: its host bits are looked at by the verb, which says what would be right. */
const Network = Type.String({
  maxLength: 49,
  pattern: '^[0-9a-fA-F:.]{2,45}/[0-9]{1,3}$',
  description: 'Network',
  expects: 'a network such as 192.0.2.0/24',
})

export const VpnUserName = Type.String({
  maxLength: 63,
  pattern: '^[a-z][a-z0-9._-]{0,61}[a-z0-9]$',
  description: 'Name of a user of the mesh',
  expects:
    'a name of 2 to 63 lower-case letters, digits, dots, - and _, which begins with a letter and ends with a letter or digit',
})

export const VpnInstalled = Type.Object({
  success: Type.Literal(true),
  message: Optional(Text(500, { description: 'What is left to do' })),
})

export const VpnStatus = Type.Object({
  installed: Type.Boolean(),
  running: Type.Boolean(),
  answering: Type.Boolean(),
  version: Nullable(Text(50)),
  reason: Nullable(Prose(2000, { description: 'Why it does not answer' })),
  server_url: Nullable(Text(300), 'The address that nodes join'),
  local_node: Nullable(
    Type.Object({
      state: Text(100, { description: '`Running` once it has joined' }),
      addresses: Type.Array(Address, { maxItems: 10 }),
    }),
    'The node of this host; null where its program does not answer',
  ),
  users: Type.Integer({ minimum: 0 }),
  nodes: Type.Integer({ minimum: 0 }),
  online_nodes: Type.Integer({ minimum: 0 }),
  key_expires_at: Nullable(Time, 'The end of the API key of the panel, which is renewed before'),
})
export type VpnStatus = Static<typeof VpnStatus>

const nameservers = Type.Array(Address, {
  maxItems: 8,
  uniqueItems: true,
  description: 'DNS servers that nodes use for all names; none leaves those of each node',
})

export const VpnSettings = Type.Object({
  domain: Nullable(Hostname, 'The name by which nodes reach the control server'),
  username: Nullable(UnixName, 'Owner of the website of the control server'),
  base_domain: Text(253, { description: 'The domain in which nodes have names' }),
  subnet: Text(43, { description: 'The network of which nodes get addresses' }),
  subnet_v6: Text(43),
  magic_dns: Type.Boolean({ description: 'Whether nodes are told the names of others' }),
  nameservers,
  website_id: Nullable(Id, 'The website of the control server, once it is installed'),
})
export type VpnSettings = Static<typeof VpnSettings>

export const VpnSettingsEdit = Type.Object({
  domain: Optional(TypedFileHostname),
  username: Optional(UnixName),
  base_domain: Optional(TypedFileHostname),
  magic_dns: Optional(VpnSettings.properties.magic_dns),
  nameservers: Optional(nameservers),
})
export type VpnSettingsEdit = Static<typeof VpnSettingsEdit>

export const VpnSubnet = Type.Object({ subnet: Network })

export const VpnUser = Type.Object({
  id: Id,
  name: Text(255),
  nodes: Type.Integer({ minimum: 0, description: 'How many nodes are of this user' }),
  created_at: Nullable(Time),
})
export type VpnUser = Static<typeof VpnUser>
export const VpnUserDraft = Type.Object({ name: VpnUserName })
/** Users that were made in another way may have other names. */
export const VpnUserPath = Type.Object({ name: Text(255, { minLength: 1, description: 'User of the mesh' }) })

export const VpnNode = Type.Object({
  id: Id,
  name: Text(255),
  user: Nullable(Text(255), 'Null for a node of tags'),
  addresses: Type.Array(Text(45), { maxItems: 20 }),
  online: Type.Boolean(),
  last_seen: Nullable(Time),
  expires_at: Nullable(Time, 'Null if it never expires'),
  expired: Type.Boolean(),
  created_at: Nullable(Time),
  routes: Type.Array(Text(49), { maxItems: 1000, description: 'Networks that are reached through it' }),
  tags: Type.Array(Text(255), { maxItems: 100 }),
  is_local: Type.Boolean({ description: 'Whether it is this host' }),
})
export type VpnNode = Static<typeof VpnNode>
export const VpnIdPath = Type.Object({ id: Id })
export const VpnNodeAddress = Type.Object({ ip: Address })

export const VpnPreAuthKey = Type.Object({
  id: Id,
  prefix: Text(500, { description: 'The key, shortened' }),
  user: Nullable(Text(255)),
  reusable: Type.Boolean(),
  ephemeral: Type.Boolean({ description: 'Whether its nodes go when they are offline' }),
  used: Type.Boolean({ description: 'Always false for reusable ones' }),
  expires_at: Nullable(Time),
  expired: Type.Boolean(),
  created_at: Nullable(Time),
})
export type VpnPreAuthKey = Static<typeof VpnPreAuthKey>

export const VpnPreAuthKeyDraft = Type.Object({
  user: VpnUserPath.properties.name,
  reusable: Type.Boolean({ default: false, description: 'Whether several nodes may join with it' }),
  ephemeral: Type.Boolean({ default: false, description: 'Whether its nodes go when they are offline' }),
  valid_hours: Type.Integer({
    minimum: 1,
    maximum: 8760,
    default: 24,
    description: 'How long nodes may join with it',
    expects: 'a number of hours from 1 to 8760',
  }),
})
export type VpnPreAuthKeyDraft = Static<typeof VpnPreAuthKeyDraft>

export const VpnPreAuthKeyCreated = Type.Object({
  id: Id,
  key: Revealed({ description: 'Shown this once' }),
  server_url: Text(300),
  expires_at: Time,
})

export const VpnApiKey = Type.Object({
  id: Id,
  prefix: Text(100),
  expires_at: Nullable(Time),
  created_at: Nullable(Time),
  last_seen: Nullable(Time),
  is_of_panel: Type.Boolean({ description: 'Whether the panel itself uses it' }),
})
export type VpnApiKey = Static<typeof VpnApiKey>
export const VpnApiKeyCreated = Type.Object({
  success: Type.Literal(true),
  key: Revealed({ description: 'Shown this once; valid for 90 days' }),
})

export const VpnRoute = Type.Object({
  id: Text(70, { description: 'The node and the network' }),
  node_id: Id,
  node: Text(255),
  prefix: Text(49),
  advertised: Type.Boolean({ description: 'Whether the node offers it' }),
  enabled: Type.Boolean({ description: 'Whether it may be reached through the node' }),
  serving: Type.Boolean({ description: 'Whether it is reached through the node now' }),
  is_exit: Type.Boolean({ description: 'Whether it is the way to the internet' }),
})
export type VpnRoute = Static<typeof VpnRoute>
export const VpnRoutePath = Type.Object({
  id: Type.String({
    maxLength: 70,
    pattern: '^[1-9][0-9]{0,14}-[0-9a-fA-F:.]{2,45}-[0-9]{1,3}$',
    description: 'Id of the route',
    expects: 'the id of a route, such as 3-192.0.2.0-24',
  }),
})

export const VpnAdvertisement = Type.Object({
  routes: Optional(
    Type.Array(Network, {
      maxItems: 100,
      description: 'Networks that the mesh reaches through this host; absent leaves them',
    }),
  ),
  exit_node: Optional(
    Type.Boolean({ description: 'Whether nodes may reach the internet through this host; absent leaves it' }),
  ),
})
export type VpnAdvertisement = Static<typeof VpnAdvertisement>

export const VpnServicePath = Type.Object({
  action: OneOf(['start', 'stop', 'restart'], { description: 'What the service does' }),
})
