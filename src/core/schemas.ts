import Type, { type Static, type TSchema, type TString } from 'typebox'
import { suspensionStates } from './suspension.ts'

/** The expected value, for messages: `field: must be <expects>`. */
interface Expecting {
  readonly description?: string
  readonly expects?: string
  readonly default?: unknown
}

/** Text of at most `maxLength` characters without control characters. */
export const Text = (maxLength: number, options: Expecting & { minLength?: number } = {}) =>
  Type.String({
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    expects: `text of at most ${maxLength} characters on one line`,
    ...options,
  })

/** Text of several lines. */
export const Prose = (maxLength: number, options: Expecting = {}) =>
  Type.String({ maxLength, expects: `text of at most ${maxLength} characters`, ...options })

const identifier = 'Identifier'

/** Identifier of a stored row. */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: identifier,
  expects: 'a positive whole number',
})

/** A host name by RFC 1123, ASCII (IDNA names in their xn-- form), lower case, with at least two labels. */
export const Hostname = hostname(253, 'a host name in lower case such as www.example.com')

/** A host name that files are named after: their endings and temporary names must fit into 255 bytes too. */
export const FileHostname = hostname(
  200,
  'a host name in lower case such as www.example.com, of at most 200 characters',
)

/** A host name, or `*.` before one: every name below it. */
export const WildcardHostname = hostname(
  253,
  'a host name in lower case such as www.example.com or *.example.com',
  '(?:\\*\\.)?',
)

function hostname(maxLength: number, expects: string, before = '') {
  return Type.String({
    maxLength,
    pattern: `^${before}(?!-)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$`,
    description: 'Host name, lower case',
    expects,
  })
}

const typed = {
  description: 'Host name; a scheme and a path are dropped, an international name becomes ASCII (xn--…)',
  'x-typed': 'hostname',
} as const

/**
 * A host name in a request, as people type or paste it. It is bound as `Hostname`: without a scheme or path, in
 * lower case, and in ASCII.
 */
export const TypedHostname = Type.String({
  ...Hostname,
  ...typed,
  expects: 'a host name such as www.example.com',
})

/** The same for a name that files are named after. */
export const TypedFileHostname = Type.String({
  ...FileHostname,
  ...typed,
  expects: 'a host name such as www.example.com, of at most 200 characters',
})

/** The same for a name that may be a wildcard. */
export const TypedWildcardHostname = Type.String({
  ...WildcardHostname,
  ...typed,
  expects: 'a host name such as www.example.com or *.example.com',
})

export const Port = Type.Integer({
  minimum: 1,
  maximum: 65_535,
  description: 'TCP or UDP port',
  expects: 'a port from 1 to 65535',
})

/** A Linux account name as useradd accepts it. */
export const UnixName = Type.String({
  maxLength: 32,
  pattern: '^[a-z_][a-z0-9_-]{0,31}$',
  description: 'Linux account',
  expects:
    'a Linux account name: lower-case letters, digits, _ and -, at most 32, not starting with a digit or -',
})

export const AbsolutePath = Type.String({
  maxLength: 4096,
  pattern: '^/[^\\u0000]*$',
  description: 'Absolute path on the host',
  expects: 'an absolute path',
})

export const Cidr = Type.String({
  maxLength: 43,
  pattern: '^[0-9a-fA-F:.]+(?:/[0-9]{1,3})?$',
  description: 'Address or network',
  expects: 'an address or a network such as 192.0.2.0/24',
})

/** ASCII only, so that two addresses that look the same are the same; compared without regard to case. */
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[!#-;=?A-~]{1,64}@[!#-;=?A-~]{1,189}$',
  description: 'E-mail address',
  expects: 'an e-mail address',
})

/** RFC 3339 time in UTC. */
export const Time = Type.String({ maxLength: 35, format: 'date-time', description: 'RFC 3339, UTC' })

/** One of a few fixed values. */
export const OneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  options: Expecting = {},
) =>
  Type.Unsafe<Values[number]>(Type.Enum([...values], { expects: `one of ${values.join(', ')}`, ...options }))

/**
 * A value that is masked in replies, encrypted at rest, and redacted everywhere else. A masked value that
 * comes back keeps the stored one.
 */
export const Secret = (
  options: Expecting & { maxLength?: number; minLength?: number; pattern?: string } = {},
): TString => Type.String({ maxLength: 1024, writeOnly: true, ...options, 'x-secret': true })

/** A secret in a reply that shows it masked. OpenAPI allows none in a reply that is `writeOnly`. */
export const Masked = (options: Expecting & { maxLength?: number } = {}): TString =>
  Type.String({ maxLength: 1024, ...options, 'x-secret': true })

/** A secret that is shown in full once, in the reply of the call that created it. */
export const Revealed = (options: Expecting = {}): TString =>
  Type.String({ maxLength: 4096, ...options, 'x-secret': true, 'x-revealed': true })

/**
 * `?reveal=1` of a reading endpoint: stored secrets in full. The surface rejects it for all but superusers,
 * masks nothing in the reply and writes an activity entry before it is sent (decision 1.8); the run shows in
 * full what it masks itself.
 */
export const Reveal = Type.Boolean({
  default: false,
  description: '1 shows secrets in full: for superusers, and told in the activity',
  'x-reveal': true,
})

/**
 * The id of a row of another kind; replication replays it through the natural key (domain, user name, zone).
 */
export const Ref = (noun: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `Id of a ${noun}`,
    'x-ref': noun,
  })

/** True for `Id` and `Ref`, which name a row that has another id on another panel. */
export const namesRow = (schema: { readonly description?: string; readonly 'x-ref'?: string }): boolean =>
  schema['x-ref'] !== undefined || schema.description === identifier

/** A field of a resource that may be absent from a body. */
export const Optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

/** The revision of a stored row: `ETag` on reads, `If-Match` on changes. */
export const Revision = Type.Integer({ minimum: 1, description: 'Counts changes of this row; sent as ETag' })

/** Narrows a list of rows that can be suspended. */
export const SuspensionState = OneOf(suspensionStates, { description: 'Only those in this state' })
export type SuspensionState = Static<typeof SuspensionState>

/** The condition of a query for rows in a state; none where no state is asked for. */
export const inState = (state: SuspensionState | undefined): { readonly is_suspended?: 0 | 1 } =>
  state === undefined ? {} : { is_suspended: state === 'suspended' ? 1 : 0 }
