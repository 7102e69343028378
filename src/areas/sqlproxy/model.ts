import Type, { type Static } from 'typebox'
import { Optional, Revealed, Secret, Text } from '../../core/schemas.ts'

const Nullable = (description: string) => Type.Union([Text(2000), Type.Null()], { description })
const Count = (description: string) => Type.Integer({ description })

const hostname = {
  maxLength: 253,
  pattern: '^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$',
  description: 'Host name or address of the SQL server',
  expects: 'a host name or an address such as db1.example.com or 192.0.2.10',
}
const ServerHost = Type.String(hostname)
const ServerPort = Type.Integer({
  minimum: 0,
  maximum: 65_535,
  default: 3306,
  description: 'Port; 0 is 3306',
  expects: 'a port from 1 to 65535',
})
const hostgroup = {
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Hostgroup: 0 is for writes, 1 for reads',
  expects: 'a whole number from 0 to 2147483647',
}
const Hostgroup = Type.Integer(hostgroup)
const Weight = Type.Integer({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Share of the traffic of its hostgroup; 0 for no new connections',
  expects: 'a whole number from 0 to 10000000',
})
const most = {
  ...{ minimum: 0, maximum: 1_000_000, description: 'Connections that the proxy opens at most' },
  expects: 'a whole number from 0 to 1000000',
}
const MostConnections = Type.Integer(most)
const Comment = Text(200, { description: 'What the server is for' })

export const SqlproxyStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether ProxySQL is installed and set up by the panel' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  answering: Type.Boolean({ description: 'Whether its admin interface answers' }),
  version: Nullable('Version of ProxySQL'),
  reason: Nullable('Why it cannot be used'),
  monitor_user: Nullable('Account by which the proxy checks the servers'),
  is_split: Type.Boolean({ description: 'Whether reads are split from writes' }),
  users: Type.Array(
    Type.Object({
      username: Text(80, { description: 'Name of the account' }),
      default_hostgroup: Hostgroup,
      active: Type.Boolean({ description: 'Whether it may connect' }),
      max_connections: Count('Connections that it may open at most'),
    }),
    { description: 'Accounts that connect through the proxy' },
  ),
})
export type SqlproxyStatus = Static<typeof SqlproxyStatus>

export const SqlproxyInstalled = Type.Object({
  success: Type.Literal(true),
  message: Text(500, { description: 'What was done' }),
  remote_user: Text(80, { description: 'Account by which other hosts reach the admin interface' }),
  remote_password: Revealed({ description: 'Its password, shown once' }),
})

export const SqlproxyRemoved = Type.Object({ success: Type.Literal(true) })

export const AdminPassword = Type.Object({
  password: Secret({ minLength: 12, maxLength: 128, description: 'New password of remote-admin' }),
})
export type AdminPassword = Static<typeof AdminPassword>

export const SqlproxyBackend = Type.Object({
  hostgroup_id: Hostgroup,
  hostname: Text(253, { description: 'Host name or address' }),
  port: Count('Port'),
  status: Text(40, {
    description:
      'ONLINE, SHUNNED (it does not answer), OFFLINE_SOFT or OFFLINE_HARD, as the running proxy has it',
  }),
  weight: Count('Share of the traffic of its hostgroup'),
  max_connections: Count('Connections that the proxy opens at most'),
  comment: Text(1000, { description: 'What the server is for' }),
  connections_used: Count('Connections that carry a session now'),
  connections_free: Count('Idle connections'),
  connections_failed: Count('Connections that could not be opened'),
  queries: Count('Statements sent to the server'),
  latency_us: Count('Time of the last ping, in microseconds'),
  reason: Nullable('Why the last ping failed'),
})
export type SqlproxyBackend = Static<typeof SqlproxyBackend>

export const BackendKey = Type.Object({ hostname: ServerHost, port: ServerPort })
export type BackendKey = Static<typeof BackendKey>

export const BackendDraft = Type.Object({
  hostgroup_id: Type.Integer({ ...hostgroup, default: 0 }),
  hostname: ServerHost,
  port: ServerPort,
  weight: Optional(Weight),
  max_connections: Type.Integer({ ...most, default: 100 }),
  comment: Optional(Comment),
})
export type BackendDraft = Static<typeof BackendDraft>

export const BackendEdit = Type.Object({
  hostname: ServerHost,
  port: ServerPort,
  hostgroup_id: Optional(Hostgroup),
  weight: Optional(Weight),
  max_connections: Type.Integer({ ...most, default: 100 }),
  comment: Optional(Comment),
})
export type BackendEdit = Static<typeof BackendEdit>

export const BackendReset = Type.Object({
  hostname: ServerHost,
  port: ServerPort,
  hostgroup_id: Optional(Hostgroup),
  weight: Optional(Weight),
  max_connections: Type.Integer({ ...most, default: 100 }),
})
export type BackendReset = Static<typeof BackendReset>

export const BackendLimit = Type.Object({
  hostname: ServerHost,
  port: ServerPort,
  max_connections: MostConnections,
})
export type BackendLimit = Static<typeof BackendLimit>

export const MonitorState = Type.Object({
  success: Type.Literal(true),
  monitor: Type.Enum(['created', 'kept', 'elsewhere'], {
    description:
      'The account by which the proxy checks the server: created, there already, or to be created by hand, as the server is not on this host',
  }),
})
export type MonitorState = Static<typeof MonitorState>

const accountName = {
  minLength: 1,
  maxLength: 80,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'Name of the account, as the servers have it',
  expects: 'a name of 1 to 80 characters',
}
const AccountPassword = (description: string) =>
  Secret({
    ...{ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description },
    expects: 'a password of 1 to 128 characters on one line',
  })

export const MonitorUser = Type.Object({
  username: Type.String({ ...accountName, default: 'monitor' }),
  password: AccountPassword('Its password on the servers'),
})
export type MonitorUser = Static<typeof MonitorUser>

export const SqlproxyUserDraft = Type.Object({
  username: Type.String(accountName),
  password: Optional(AccountPassword('Its password, the same as on the servers; absent to keep it')),
  default_hostgroup: Type.Integer({ ...hostgroup, default: 0 }),
  max_connections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'Connections that it may open at most',
    expects: 'a whole number from 1 to 1000000',
  }),
  active: Type.Boolean({ default: true, description: 'Whether it may connect' }),
})
export type SqlproxyUserDraft = Static<typeof SqlproxyUserDraft>

export const ReadWriteSplit = Type.Object({
  enabled: Type.Boolean({ default: true, description: 'False removes the rules of the split' }),
  writer_hostgroup: Type.Integer({ ...hostgroup, default: 0 }),
  reader_hostgroup: Type.Integer({ ...hostgroup, default: 1 }),
})
export type ReadWriteSplit = Static<typeof ReadWriteSplit>

export const QueryRule = Type.Object({
  rule_id: Count('Number; rules are tried in this order'),
  active: Type.Boolean({ description: 'Whether the running proxy has it' }),
  username: Nullable('Account that it concerns; null for all'),
  schemaname: Nullable('Database that it concerns; null for all'),
  match_digest: Nullable('Regular expression on the statement without its values'),
  match_pattern: Nullable('Regular expression on the statement'),
  destination_hostgroup: Type.Union([Hostgroup, Type.Null()], {
    description: 'Where matching statements go; null for that of the account',
  }),
  apply: Type.Boolean({ description: 'Whether later rules are left out' }),
  comment: Nullable('What it is for'),
  hits: Count('Statements that it matched since the rules were loaded'),
})
export type QueryRule = Static<typeof QueryRule>

export const SqlproxyStats = Type.Object({
  uptime_seconds: Count('Seconds since the start of ProxySQL'),
  questions: Count('Statements of clients'),
  slow_queries: Count('Statements that took longer than mysql-long_query_time'),
  client_connections: Count('Clients that are connected'),
  client_connections_created: Count('Connections of clients since the start'),
  client_connections_aborted: Count('Connections of clients that failed or broke'),
  server_connections: Count('Connections to servers'),
  backends: Type.Array(
    Type.Object({
      hostgroup_id: Hostgroup,
      hostname: Text(253, { description: 'Host name or address' }),
      port: Count('Port'),
      status: Text(40, { description: 'State in the running proxy' }),
      connections_used: Count('Connections that carry a session now'),
      connections_free: Count('Idle connections'),
      connections_ok: Count('Connections that were opened'),
      connections_failed: Count('Connections that could not be opened'),
      queries: Count('Statements sent to the server'),
      bytes_sent: Count('Bytes sent to the server'),
      bytes_received: Count('Bytes received from the server'),
      latency_us: Count('Time of the last ping, in microseconds'),
    }),
    { description: 'Traffic by server' },
  ),
  statements: Type.Array(
    Type.Object({
      hostgroup_id: Hostgroup,
      schema: Text(200, { description: 'Database' }),
      username: Text(200, { description: 'Account' }),
      text: Type.String({ maxLength: 2000, description: 'Statement without its values' }),
      count: Count('Times that it ran'),
      time_us: Count('Total time, in microseconds'),
    }),
    { maxItems: 50, description: 'Shapes of statements that took the most time' },
  ),
})
export type SqlproxyStats = Static<typeof SqlproxyStats>

export const KeepalivedSetup = Type.Object({
  virtual_ip: Type.String({
    maxLength: 18,
    pattern: '^[0-9.]{7,15}(?:/[0-9]{1,2})?$',
    description: 'IPv4 address that moves between the hosts; without a prefix it gets that of the network',
    expects: 'an IPv4 address of a network of this host, such as 192.0.2.100 or 192.0.2.100/24',
  }),
  priority: Type.Integer({
    minimum: 1,
    maximum: 254,
    default: 100,
    description: 'The host with the highest priority has the address',
    expects: 'a whole number from 1 to 254',
  }),
  state: Type.Enum(['MASTER', 'BACKUP'], {
    default: 'BACKUP',
    description: 'State before the hosts have agreed',
    expects: 'one of MASTER, BACKUP',
  }),
  peer_ip: Optional(
    Type.String({
      maxLength: 15,
      pattern: '^[0-9.]{7,15}$',
      description: 'IPv4 address of the other host; absent for those that multicast reaches',
      expects: 'an IPv4 address such as 192.0.2.12',
    }),
  ),
  auth_pass: Optional(
    Secret({
      minLength: 0,
      maxLength: 8,
      pattern: '^[A-Za-z0-9_.@+=-]*$',
      description: 'Password that both hosts share, in clear; absent to keep it, empty for none',
      expects: 'at most 8 letters, digits or _ . @ + = -',
    }),
  ),
})
export type KeepalivedSetup = Static<typeof KeepalivedSetup>

export const KeepalivedSet = Type.Object({
  success: Type.Literal(true),
  message: Text(500, { description: 'What was done' }),
})

export const KeepalivedStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether keepalived is installed' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  configured: Type.Boolean({ description: 'Whether the panel has set up a virtual address' }),
  vrrp_state: Type.Enum(['MASTER', 'BACKUP', 'FAULT', 'STOPPED'], {
    description:
      'MASTER: this host has the address. FAULT: the proxy of this host or its network is down. STOPPED: keepalived does not run',
  }),
  virtual_ip: Nullable('Virtual address'),
  interface: Nullable('Interface that it is on'),
  priority: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The host with the highest priority has the address',
  }),
  state: Nullable('State before the hosts have agreed'),
  peer_ip: Nullable('Address of the other host'),
  has_auth_pass: Type.Boolean({ description: 'Whether the hosts share a password' }),
})
export type KeepalivedStatus = Static<typeof KeepalivedStatus>
