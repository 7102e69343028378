import Type, { type Static, type TSchema } from 'typebox'
import { Hostname, OneOf, Optional, Prose, Revision, Secret, Text, Time } from '../../core/schemas.ts'

/** A name as HAProxy takes it. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!-)[A-Za-z0-9_.:-]+$',
  description: 'Name in the configuration',
  expects: 'a name of letters, digits and _ . : -, not starting with -',
})

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const PortOrDefault = Type.Integer({
  minimum: 0,
  maximum: 65_535,
  default: 80,
  description: 'Port; 0 or absent is 80',
  expects: 'a port from 1 to 65535, or 0 for the default',
})
const Weight = Type.Integer({ minimum: 0, maximum: 256, description: 'Share of the traffic', expects: 'a whole number from 0 to 256' })
const Balance = Type.String({
  default: 'roundrobin',
  maxLength: 200,
  pattern: '^[A-Za-z0-9_.,()-]+(?: [A-Za-z0-9_.,()-]+)*$',
  description: 'How a server is chosen',
  expects: 'an algorithm of HAProxy such as roundrobin, leastconn or hdr(Host)',
})
const Address = Type.String({
  maxLength: 253,
  pattern: '^(?!-)(?:[A-Za-z0-9_.-]+|\\[?[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\\]?)$',
  description: 'Host name or IP address, without a port',
  expects: 'a host name or an IP address without its port',
})
const Mode = OneOf(['http', 'tcp'], { description: 'Protocol' })

export const Server = Type.Object({
  name: Text(200),
  address: Text(500, { description: 'Host name, address or socket' }),
  port: Nullable(Type.Integer({ minimum: 0, maximum: 99_999 })),
  weight: Nullable(Type.Integer({ minimum: 0 })),
  status: Text(100, { description: 'As HAProxy sees it now; UP when it does not tell' }),
  backup: Type.Boolean(),
  ssl: Type.Boolean(),
  check: Type.Boolean({ description: 'Whether its health is checked' }),
})
export type Server = Static<typeof Server>

export const Backend = Type.Object({
  name: Text(200),
  mode: Text(50),
  balance: Text(500),
  servers: Type.Array(Server, { maxItems: 20_000 }),
})
export type Backend = Static<typeof Backend>

export const BackendDraft = Type.Object({
  name: Name,
  mode: OneOf(['http', 'tcp'], { default: 'http', description: 'Protocol' }),
  balance: Balance,
})
export type BackendDraft = Static<typeof BackendDraft>

export const DuplicateDraft = Type.Object({ source: Name, name: Name, port: PortOrDefault })

export const ServerDraft = Type.Object({
  name: Name,
  address: Address,
  port: PortOrDefault,
  weight: Optional(Weight),
  ssl: Type.Boolean({ default: false, description: 'Speak TLS to it; port 443 always does' }),
  backup: Type.Boolean({ default: false, description: 'Only when the others are down' }),
  check: Type.Boolean({ default: true, description: 'Check its health' }),
})
export type ServerDraft = Static<typeof ServerDraft>

export const ServerEdit = Type.Object({
  ...ServerDraft.properties,
  state: Optional(OneOf(['ready', 'drain', 'maint'], { description: 'Set in the running HAProxy alone, and kept over reloads' })),
})
export type ServerEdit = Static<typeof ServerEdit>

const Timeout = Type.String({
  maxLength: 20,
  pattern: '^[0-9]{1,10}(?:us|ms|s|m|h|d)?$',
  description: 'Duration',
  expects: 'a duration such as 30s or 500ms',
})
const Statement = (description: string) => Text(2000, { description })

const BindPlace = Type.String({
  maxLength: 100,
  pattern: '^(?:\\*|[0-9.]+|\\[?[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\\]?)$',
  default: '*',
  description: 'Address to listen at; * for all',
  expects: 'an IP address, or * for all',
})

export const BindDraft = Type.Object({
  address: BindPlace,
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 80,
    description: 'Port; 0 or absent is 80',
    expects: 'a port from 1 to 65535, or 0 for the default',
  }),
  ssl: Type.Boolean({ default: false }),
  certificates: Type.Array(Hostname, {
    maxItems: 200,
    default: [],
    description: 'Stored certificates; the one that fits the name a visitor asks for is sent',
  }),
  alpn: Optional(Type.String({ maxLength: 50, pattern: '^[a-z0-9./,-]+$', description: 'Such as h2,http/1.1' })),
})

const parts = {
  default_backend: Nullable(Name),
  maxconn: Nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  timeouts: Type.Array(
    Type.Object({ name: OneOf(['client', 'client-fin', 'http-request', 'http-keep-alive', 'tarpit', 'tunnel']), value: Timeout }),
    { maxItems: 10 },
  ),
  acls: Type.Array(Type.Object({ name: Name, criterion: Statement('Such as hdr(host) -i www.example.com') }), { maxItems: 1000 }),
  rules: Type.Array(Type.Object({ backend: Name, condition: Nullable(Statement('Such as if is_api')) }), { maxItems: 1000 }),
  redirects: Type.Array(Statement('Such as scheme https code 301 unless { ssl_fc }'), { maxItems: 1000 }),
}

const optionalParts = {
  default_backend: Optional(parts.default_backend),
  maxconn: Optional(parts.maxconn),
  timeouts: Optional(parts.timeouts),
  acls: Optional(parts.acls),
  rules: Optional(parts.rules),
  redirects: Optional(parts.redirects),
}

export const FrontendDraft = Type.Object({
  name: Name,
  mode: OneOf(['http', 'tcp'], { default: 'http', description: 'Protocol' }),
  binds: Type.Array(BindDraft, { minItems: 1, maxItems: 100, description: 'Where it listens' }),
  ...optionalParts,
})
export type FrontendDraft = Static<typeof FrontendDraft>

export const FrontendEdit = Type.Object({
  mode: Optional(Mode),
  binds: Optional(Type.Array(BindDraft, { minItems: 1, maxItems: 100 })),
  ...optionalParts,
})
export type FrontendEdit = Static<typeof FrontendEdit>

export const Frontend = Type.Object({
  name: Text(200),
  kind: OneOf(['frontend', 'listen'], { description: 'A listen section is a backend too' }),
  mode: Text(50),
  binds: Type.Array(
    Type.Object({
      address: Text(500),
      port: Nullable(Type.Integer()),
      ssl: Type.Boolean(),
      certificates: Type.Array(Text(4096), { maxItems: 1000 }),
      alpn: Nullable(Text(100)),
    }),
    { maxItems: 1000 },
  ),
  default_backend: Nullable(Text(500)),
  maxconn: Nullable(Type.Integer()),
  timeouts: Type.Array(Type.Object({ name: Text(100), value: Text(100) }), { maxItems: 1000 }),
  acls: Type.Array(Type.Object({ name: Text(500), criterion: Prose(10_000) }), { maxItems: 10_000 }),
  rules: Type.Array(Type.Object({ backend: Text(500), condition: Nullable(Prose(10_000)) }), { maxItems: 10_000 }),
  redirects: Type.Array(Prose(10_000), { maxItems: 10_000 }),
})
export type Frontend = Static<typeof Frontend>

const configLength = 4 * 1024 * 1024
export const Config = Type.Object({
  path: Text(4096),
  content: Prose(16 * 1024 * 1024, { description: 'The file; passwords in it are hidden' }),
  revision: Revision,
})
export const ConfigDraft = Type.Object({
  content: Secret({
    maxLength: configLength,
    description: 'The whole file; a line whose password is hidden keeps it',
    expects: 'the text of a configuration of at most 4 MiB',
  }),
})

export const Status = Type.Object({
  installed: Type.Boolean(),
  running: Type.Boolean(),
  version: Nullable(Text(100)),
  started_at: Nullable(Time),
  processes: Type.Array(Type.Integer(), { maxItems: 1000 }),
  failed_reloads: Type.Integer({ description: 'Since the last reload that worked' }),
  reason: Nullable(Text(2000)),
})

export const Backup = Type.Object({ name: Text(255), size: Type.Integer({ description: 'Bytes' }), date: Time })
export type Backup = Static<typeof Backup>
export const FileName = Type.String({ minLength: 1, maxLength: 255, description: 'Name of a backup' })

export const AutoBackup = Type.Object({
  enabled: Type.Boolean({ default: true, description: 'Whether backups are made by themselves' }),
  every: OneOf(['hour', 'day', 'week'], { default: 'day', description: 'How often' }),
  keep: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 14,
    description: 'How many are kept; those made by hand are not counted',
    expects: 'a number from 1 to 1000',
  }),
})
export type AutoBackup = Static<typeof AutoBackup>

export const StoredCertificate = Type.Object({
  domain: Text(253),
  names: Type.Array(Text(253), { maxItems: 1000 }),
  issuer: Prose(500),
  valid_from: Time,
  valid_to: Time,
  self_signed: Type.Boolean(),
  expired: Type.Boolean(),
  used_by: Type.Array(Text(500), { maxItems: 1000 }),
})
export type StoredCertificate = Static<typeof StoredCertificate>

export const CertificateDraft = Type.Object({
  domain: Hostname,
  certificate: Optional(Secret({ maxLength: 200_000, description: 'PEM, with its chain; the key may be in it too' })),
  key: Optional(Secret({ maxLength: 50_000, description: 'PEM' })),
  self_signed: Type.Boolean({ default: false, description: 'Make one that nobody vouches for' }),
})
export type CertificateDraft = Static<typeof CertificateDraft>

const Count = Type.Integer({ minimum: 0 })
export const Traffic = Type.Object({
  kind: OneOf(['frontend', 'backend', 'server', 'listener']),
  proxy: Text(200),
  server: Nullable(Text(200)),
  status: Text(100),
  sessions_current: Count,
  sessions_max: Count,
  sessions_total: Count,
  session_rate: Count,
  session_rate_max: Count,
  request_rate: Count,
  requests_total: Count,
  bytes_in: Count,
  bytes_out: Count,
  denied_requests: Count,
  denied_responses: Count,
  request_errors: Count,
  connection_errors: Count,
  response_errors: Count,
  retries: Count,
  queue_current: Count,
  queue_max: Count,
  responses_1xx: Count,
  responses_2xx: Count,
  responses_3xx: Count,
  responses_4xx: Count,
  responses_5xx: Count,
  queue_ms: Count,
  connect_ms: Count,
  response_ms: Count,
  total_ms: Count,
  weight: Count,
  failed_checks: Count,
  downtime_seconds: Count,
  changed_seconds_ago: Count,
  last_check: Prose(500),
})
export type Traffic = Static<typeof Traffic>
export const Stats = Type.Object({ available: Type.Boolean(), rows: Type.Array(Traffic, { maxItems: 50_000 }) })
