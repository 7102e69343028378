import Type, { type TSchema } from 'typebox'
import { OneOf, Text } from '../../../core/schemas.ts'

/**
 * A name that HAProxy accepts. `.` and `..` would be path components: a request with them would reach the
 * parent route.
 */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!-|\\.{1,2}$)[A-Za-z0-9_.:-]+$',
  description: 'Name in the configuration',
  expects: 'a name of letters, digits and _ . : -, not starting with -, and neither . nor ..',
})

const bareIpv6 = '[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*'

/** The pattern of an IPv6 address, with or without brackets. */
export const ipv6 = `(?:${bareIpv6}|\\[${bareIpv6}\\])`

interface Described {
  readonly description?: string
  readonly expects?: string
}

/**
 * A value that null removes. A union is rejected as a whole, so its error message must describe what it
 * accepts.
 */
export const Nullable = <Schema extends TSchema>(schema: Schema & Described) =>
  Type.Union([schema, Type.Null()], {
    ...(schema.description !== undefined && { description: schema.description }),
    ...(schema.expects !== undefined && { expects: `${schema.expects}, or null` }),
  })

export const PortOrDefault = Type.Integer({
  minimum: 0,
  maximum: 65_535,
  default: 80,
  description: 'Port; 0 or absent is 80',
  expects: 'a port from 1 to 65535, or 0 for the default',
})
export const Mode = OneOf(['http', 'tcp'], { description: 'Protocol' })
export const ModeOrHttp = OneOf(['http', 'tcp'], { default: 'http', description: 'Protocol' })

export const Duration = Type.String({
  maxLength: 20,
  pattern: '^[0-9]{1,10}(?:us|ms|s|m|h|d)?$',
  description: 'Duration',
  expects: 'a duration such as 30s or 500ms',
})

/** Words of a HAProxy statement as a person writes them. */
export const Statement = (description: string) => Text(2000, { description })

/** Timeouts with these names. */
export const Timeouts = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  Type.Array(Type.Object({ name: OneOf(names), value: Duration }), { maxItems: names.length })

/** Media types whose responses are compressed with gzip. */
export const Compression = Nullable(
  Type.Array(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z0-9.+-]+/[a-z0-9.+*-]+$',
      description: 'Media type',
      expects: 'a media type such as text/html',
    }),
    {
      maxItems: 50,
      description: 'Media types whose answers are compressed with gzip; an empty list compresses all',
    },
  ),
)

/** Timeouts as they are written in the configuration. */
export const ShownTimeouts = Type.Array(Type.Object({ name: Text(100), value: Text(100) }), {
  maxItems: 1000,
})
