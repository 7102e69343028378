import Type, { type Static } from 'typebox'
import { Hostname, OneOf, Optional, Text } from '../../../core/schemas.ts'
import {
  Compression,
  Duration,
  ipv6,
  Mode,
  ModeOrHttp,
  Name,
  Nullable,
  PortOrDefault,
  ShownTimeouts,
  Timeouts,
} from './names.ts'

const Weight = Type.Integer({
  minimum: 0,
  maximum: 256,
  description: 'Share of the traffic',
  expects: 'a whole number from 0 to 256',
})
const algorithm = {
  maxLength: 200,
  pattern: '^[A-Za-z0-9_.,()-]+(?: [A-Za-z0-9_.,()-]+)*$',
  description: 'How a server is chosen',
  expects: 'an algorithm of HAProxy such as roundrobin, leastconn or hdr(Host)',
}
const Balance = Type.String({ ...algorithm, default: 'roundrobin' })
const GivenBalance = Type.String(algorithm)
const Address = Type.String({
  maxLength: 253,
  pattern: `^(?!-)(?:[A-Za-z0-9_.-]+|${ipv6})$`,
  description: 'Host name or IP address, without a port',
  expects: 'a host name or an IP address without its port',
})

const Count = (maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description, expects: `a whole number from 1 to ${maximum}` })

/** Settings beyond the contract's form: an absent one is kept, null restores the default. */
const finerServer = {
  interval: Optional(Nullable(Duration)),
  rise: Optional(Nullable(Count(100, 'Good checks until it counts as up'))),
  fall: Optional(Nullable(Count(100, 'Bad checks until it counts as down'))),
  maxconn: Optional(Nullable(Count(10_000_000, 'Connections at a time; more wait'))),
  verify: Optional(
    Nullable(
      OneOf(['none', 'required'], {
        description:
          'Whether the certificate of a server that speaks TLS is verified; none unless it says so',
      }),
    ),
  ),
  sni: Optional(
    Nullable(
      Type.String({
        maxLength: 253,
        pattern: '^(?:\\*|(?!-)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63})$',
        description: 'Name that a server with TLS is asked for; * for the one that the visitor asked for',
        expects: 'a host name, or * for the one that the visitor asked for',
      }),
    ),
  ),
  cookie: Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z0-9_.-]+$',
        description: 'Value by which a sticky cookie names it',
        expects: 'letters, digits and _ . -',
      }),
    ),
  ),
}

/** Unset settings are omitted, so that a plain server has exactly the contract's fields. */
const shownServer = {
  interval: Optional(Text(100)),
  rise: Optional(Type.Integer()),
  fall: Optional(Type.Integer()),
  maxconn: Optional(Type.Integer()),
  verify: Optional(Text(100)),
  sni: Optional(Text(1000)),
  cookie: Optional(Text(500)),
}

export const Server = Type.Object({
  name: Text(200),
  address: Text(500, { description: 'Host name, address or socket' }),
  port: Nullable(Type.Integer({ minimum: 0, maximum: 99_999 })),
  weight: Nullable(Type.Integer({ minimum: 0 })),
  status: Text(100, { description: 'As HAProxy sees it now; UP when it does not tell' }),
  backup: Type.Boolean(),
  ssl: Type.Boolean(),
  check: Type.Boolean({ description: 'Whether its health is checked' }),
  ...shownServer,
})
export type Server = Static<typeof Server>

const Path = Type.String({
  maxLength: 1000,
  pattern: '^/[!-~]*$',
  description: 'Path that is asked for; absent is /',
  expects: 'a path that begins with / and has no spaces',
})

const HealthCheck = Type.Object(
  {
    method: Optional(OneOf(['GET', 'HEAD', 'OPTIONS'], { description: 'Method; absent is GET' })),
    path: Optional(Path),
    host: Optional(Nullable(Hostname)),
    expect: Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[1-5][0-9]{2}(?:-[1-5][0-9]{2})?(?:,[1-5][0-9]{2}(?:-[1-5][0-9]{2})?)*$',
        description: 'Status codes of a server that is well; absent is 200-399',
        expects: 'status codes such as 200 or 200-399,404',
      }),
    ),
  },
  {
    description: 'Request by which a checked server shows that it is well; without one a connection does',
    expects: 'a health check',
  },
)

const Sticky = Type.Object(
  {
    by: OneOf(['cookie', 'source'], { description: 'What a visitor is known by' }),
    cookie: Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'Name of the cookie; absent is SERVERID',
        expects: 'letters, digits, _ and -',
      }),
    ),
  },
  { description: 'Keeps a visitor at one server', expects: 'what a visitor is known by' },
)

const BackendTimeouts = Timeouts('connect', 'server', 'server-fin', 'queue', 'check', 'tunnel')

const finerBackend = {
  health_check: Optional(Nullable(HealthCheck)),
  sticky: Optional(Nullable(Sticky)),
  timeouts: Optional(BackendTimeouts),
  forwardfor: Optional(
    Type.Boolean({ description: 'Tell servers the address of the visitor as X-Forwarded-For' }),
  ),
  compression: Optional(Compression),
}

export const Backend = Type.Object({
  name: Text(200),
  mode: Text(50),
  balance: Text(500),
  servers: Type.Array(Server, { maxItems: 20_000 }),
  health_check: Optional(
    Type.Object({ method: Text(100), path: Text(4096), host: Nullable(Text(500)), expect: Text(500) }),
  ),
  sticky: Optional(Type.Object({ by: OneOf(['cookie', 'source']), cookie: Optional(Text(500)) })),
  timeouts: Optional(ShownTimeouts),
  forwardfor: Optional(Type.Boolean()),
  compression: Optional(Type.Array(Text(500), { maxItems: 1000 })),
})
export type Backend = Static<typeof Backend>

export const BackendDraft = Type.Object({ name: Name, mode: ModeOrHttp, balance: Balance, ...finerBackend })
export type BackendDraft = Static<typeof BackendDraft>

/** Changes the given parts; null removes one. */
export const BackendEdit = Type.Object({
  mode: Optional(Mode),
  balance: Optional(GivenBalance),
  ...finerBackend,
})
export type BackendEdit = Static<typeof BackendEdit>

export const DuplicateDraft = Type.Object({ source: Name, name: Name, port: PortOrDefault })
export type DuplicateDraft = Static<typeof DuplicateDraft>

export const ServerDraft = Type.Object({
  name: Name,
  address: Address,
  port: PortOrDefault,
  weight: Optional(Nullable(Weight)),
  ssl: Type.Boolean({ default: false, description: 'Speak TLS to it; port 443 always does' }),
  backup: Type.Boolean({ default: false, description: 'Only when the others are down' }),
  check: Type.Boolean({ default: true, description: 'Check its health' }),
  ...finerServer,
})
export type ServerDraft = Static<typeof ServerDraft>

export const ServerEdit = Type.Object({
  ...ServerDraft.properties,
  state: Optional(
    OneOf(['ready', 'drain', 'maint'], {
      description: 'Set in the running HAProxy alone, and kept over reloads',
    }),
  ),
})
export type ServerEdit = Static<typeof ServerEdit>
