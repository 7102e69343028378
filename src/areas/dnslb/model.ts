import Type, { type Static } from 'typebox'
import { Id, OneOf, Prose, Text, Time } from '../../core/schemas.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Count = (description: string) => Type.Number({ description })

export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9_.-]+$',
  description: 'Name',
  expects: 'letters, digits, dots, dashes and underscores, at most 100',
})
const Pool = Type.String({
  minLength: 0,
  maxLength: 100,
  pattern: '^[A-Za-z0-9_.-]*$',
  description: 'Pool; empty is the default pool',
  expects: 'letters, digits, dots, dashes and underscores, at most 100',
})

export const Status = Type.Object({
  installed: Type.Boolean(),
  running: Type.Boolean(),
  version: Nullable(Text(100)),
  started_at: Nullable(Time),
  addresses: Type.Array(Text(100), { maxItems: 1000, description: 'Where it listens' }),
  reason: Nullable(Text(2000)),
})

export const Stats = Type.Object({
  running: Type.Boolean(),
  queries: Count('Queries received since the start'),
  responses: Count('Answers of the servers'),
  cache_hits: Count('Answers from the cache'),
  cache_misses: Count('Queries that the cache could not answer'),
  dropped: Count('Queries dropped by rules'),
  refused: Count('Queries refused by rules'),
  nxdomain: Count('Names blocked by rules'),
  acl_drops: Count('Queries of clients outside the ACL'),
  timeouts: Count('Queries that a server did not answer in time'),
  latency_us: Count('Average latency of the last 1,000 answers, in microseconds'),
  uptime_seconds: Count('Seconds since the start'),
  rules: Type.Array(
    Type.Object({ rule: Text(1000), action: Text(1000), matches: Count('Queries that matched') }),
    { maxItems: 10_000 },
  ),
})

export const Done = Type.Object({ success: Type.Literal(true) })

export const Config = Type.Object({ config: Prose(16 * 1024 * 1024, { description: 'The file' }) })
export const ConfigDraft = Type.Object({
  config: Prose(4 * 1024 * 1024, {
    description: 'The whole file; must keep the lines that include the panel',
  }),
})

export const ServerDraft = Type.Object({
  name: Name,
  address: Text(100, { minLength: 1, description: 'IP address of the name server' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 53, description: 'UDP and TCP port' }),
  pool: Type.String({ ...Pool, default: '' }),
  weight: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Share of the queries' }),
  order: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Lower is preferred' }),
  mode: OneOf(['auto', 'up', 'down'], { default: 'auto', description: '`auto`: by its health checks' }),
})
export type ServerDraft = Static<typeof ServerDraft>
export const Server = Type.Object({
  name: Text(100),
  address: Text(100),
  pool: Text(100),
  weight: Type.Integer(),
  order: Type.Integer(),
  mode: OneOf(['auto', 'up', 'down']),
  state: OneOf(['up', 'down', 'unknown'], { description: '`unknown`: dnsdist does not run' }),
  queries: Count('Queries sent to it'),
  latency_ms: Count('Average latency in milliseconds'),
})
export type Server = Static<typeof Server>
export const Servers = Type.Object({ servers: Type.Array(Server, { maxItems: 10_000 }) })

const Addresses = Type.Array(Text(100), {
  maxItems: 100_000,
  description: 'Addresses and networks',
  expects: 'a list of at most 100,000 addresses and networks',
})
export const AddressListDraft = Type.Object({
  name: Text(200, { description: 'Characters other than letters, digits, _ and - are removed' }),
  action: Text(50, { description: 'allow, block or ratelimit; others have no effect' }),
  addresses: Addresses,
  rate_limit: Type.Integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    default: 10,
    description: 'Queries per second of one address; 10 if not positive',
  }),
})
export type AddressListDraft = Static<typeof AddressListDraft>
export const AddressLists = Type.Object({
  lists: Type.Array(
    Type.Object({ name: Text(200), action: Text(50), addresses: Addresses, rate_limit: Type.Integer() }),
    { maxItems: 10_000 },
  ),
})

/** Of a list: a million names. */
const domainText = 32 * 1024 * 1024
export const DomainListDraft = Type.Object({
  name: Text(10, { description: 'Letters, at most 10; becomes lower case' }),
  action: OneOf(['block', 'whitelist'], { description: 'whitelist exempts from later lists' }),
  domains: Prose(domainText, { description: 'One domain per line, each with everything below it' }),
})
export type DomainListDraft = Static<typeof DomainListDraft>
export const DomainListWritten = Type.Object({ success: Type.Literal(true), count: Type.Integer() })
export const DomainLists = Type.Object({
  lists: Type.Array(
    Type.Object({
      name: Text(10),
      action: OneOf(['block', 'whitelist']),
      domains: Type.Array(Text(255), { maxItems: 10_000_000 }),
      count: Type.Integer(),
    }),
    { maxItems: 10_000 },
  ),
})
export const ListOrder = Type.Object({
  order: Type.Array(Text(10), { maxItems: 10_000, default: [], description: 'Names; the others follow' }),
})

export const BlockedNames = Type.Object({
  names: Type.Array(
    Type.Object({
      name: Text(1100),
      queries: Count('Queries for it among the last ones'),
      by: Text(200, { description: 'The domain list or the rule that blocks it' }),
    }),
    { maxItems: 50, description: 'Most queried first, of the last queries that dnsdist remembers' },
  ),
})

export const RuleDraft = Type.Object({
  name: Text(100, { minLength: 1, description: 'Name of the rule' }),
  match: OneOf(['all', 'client', 'domain', 'type'], { description: 'The part of a query that is compared' }),
  value: Text(255, { default: '', description: 'A network, a domain or a record type' }),
  action: OneOf(['allow', 'drop', 'nxdomain', 'pool', 'refuse', 'truncate'], { description: 'Outcome' }),
  pool: Type.String({ ...Pool, default: '' }),
})
export type RuleDraft = Static<typeof RuleDraft>
export const Rule = Type.Object({
  id: Id,
  name: Text(100),
  match: OneOf(['all', 'client', 'domain', 'type']),
  value: Text(255),
  action: OneOf(['allow', 'drop', 'nxdomain', 'pool', 'refuse', 'truncate']),
  pool: Text(100),
})
export const Rules = Type.Object({ rules: Type.Array(Rule, { maxItems: 10_000 }) })
export const RuleOrder = Type.Object({
  order: Type.Array(Id, { maxItems: 10_000, description: 'Ids of rules; the others follow' }),
})

export const SyncedFiles = Type.Object({
  address_lists: Type.Array(AddressListDraft, { maxItems: 10_000, default: [], description: 'Replace all' }),
  domain_lists: Type.Array(DomainListDraft, { maxItems: 10_000, default: [], description: 'Replace all' }),
})
export type SyncedFiles = Static<typeof SyncedFiles>
