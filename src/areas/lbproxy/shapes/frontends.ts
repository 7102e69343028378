import Type, { type Static } from 'typebox'
import { Hostname, OneOf, Optional, Prose, Text } from '../../../core/schemas.ts'
import {
  Compression,
  ipv6,
  Mode,
  ModeOrHttp,
  Name,
  Nullable,
  ShownTimeouts,
  Statement,
  Timeouts,
} from './names.ts'

const BindAddress = Type.String({
  maxLength: 100,
  pattern: `^(?:\\*|[0-9.]+|${ipv6})$`,
  default: '*',
  description: 'Address to listen at; * for all',
  expects: 'an IP address, or * for all',
})

export const BindDraft = Type.Object({
  address: BindAddress,
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
  alpn: Optional(
    Type.String({
      maxLength: 50,
      pattern: '^[a-z0-9./,-]+$',
      description: 'Such as h2,http/1.1',
      expects: 'protocols such as h2,http/1.1',
    }),
  ),
  min_tls: Optional(Nullable(OneOf(['TLSv1.2', 'TLSv1.3'], { description: 'Oldest TLS that is spoken' }))),
  strict_sni: Optional(
    Type.Boolean({ description: 'Turn away visitors who ask for a name that no certificate has' }),
  ),
})

const parts = {
  default_backend: Nullable(Name),
  maxconn: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Connections at a time',
      expects: 'a whole number from 1 to 10000000',
    }),
  ),
  timeouts: Timeouts('client', 'client-fin', 'http-request', 'http-keep-alive', 'tarpit', 'tunnel'),
  forwardfor: Type.Boolean({ description: 'Tell servers the address of the visitor as X-Forwarded-For' }),
  compression: Compression,
  acls: Type.Array(
    Type.Object({ name: Name, criterion: Statement('Such as hdr(host) -i www.example.com') }),
    { maxItems: 1000 },
  ),
  rules: Type.Array(Type.Object({ backend: Name, condition: Nullable(Statement('Such as if is_api')) }), {
    maxItems: 1000,
  }),
  redirects: Type.Array(Statement('Such as scheme https code 301 unless { ssl_fc }'), { maxItems: 1000 }),
}

const optionalParts = {
  default_backend: Optional(parts.default_backend),
  maxconn: Optional(parts.maxconn),
  timeouts: Optional(parts.timeouts),
  forwardfor: Optional(parts.forwardfor),
  compression: Optional(parts.compression),
  acls: Optional(parts.acls),
  rules: Optional(parts.rules),
  redirects: Optional(parts.redirects),
}

export const FrontendDraft = Type.Object({
  name: Name,
  mode: ModeOrHttp,
  binds: Type.Array(BindDraft, {
    minItems: 1,
    maxItems: 100,
    description: 'Where it listens',
    expects: 'a list of 1 to 100 places to listen at',
  }),
  ...optionalParts,
})
export type FrontendDraft = Static<typeof FrontendDraft>

export const FrontendEdit = Type.Object({
  mode: Optional(Mode),
  binds: Optional(
    Type.Array(BindDraft, { minItems: 1, maxItems: 100, expects: 'a list of 1 to 100 places to listen at' }),
  ),
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
      min_tls: Optional(Text(100)),
      strict_sni: Optional(Type.Boolean()),
    }),
    { maxItems: 1000 },
  ),
  default_backend: Nullable(Text(500)),
  maxconn: Nullable(Type.Integer()),
  timeouts: ShownTimeouts,
  forwardfor: Optional(Type.Boolean()),
  compression: Optional(Type.Array(Text(500), { maxItems: 1000 })),
  acls: Type.Array(Type.Object({ name: Text(500), criterion: Prose(10_000) }), { maxItems: 10_000 }),
  rules: Type.Array(Type.Object({ backend: Text(500), condition: Nullable(Prose(10_000)) }), {
    maxItems: 10_000,
  }),
  redirects: Type.Array(Prose(10_000), { maxItems: 10_000 }),
})
export type Frontend = Static<typeof Frontend>
