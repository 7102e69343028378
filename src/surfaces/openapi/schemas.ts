import { enqueued, succeeded } from '../../core/reply.ts'
import { longestTyped } from '../../core/typed-hostname.ts'
import type { Route } from '../routes.ts'

/** The direction of a schema: a request of the caller, or a response of the panel. */
export type Direction = 'sent' | 'shown'

/** Publishes schemas; those that an area exports are components of the document and referenced by name. */
export interface SchemaPublisher {
  publish(schema: unknown, direction: Direction): object
  /** The components that have been referenced so far, by name. */
  components(): Readonly<Record<string, object>>
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Creates the publisher of a document. A component is named `lbproxy.Backend`, by its area and its export.
 */
export function openSchemas(routes: readonly Route[]): SchemaPublisher {
  const named = namedSchemas(routes)
  const shown = new Set(routes.flatMap(({ endpoint }) => namesIn(endpoint.reply.schema, named)))
  const components = new Map<string, object>()
  const publish = (schema: unknown, direction: Direction): unknown => {
    const name = nameOf(schema, named)
    if (name === undefined) return translated(schema, direction, publish)
    const isOther = direction === 'sent' && shown.has(name) && differsWhenSent(schema)
    const component = isOther ? `${name}Sent` : name
    if (!components.has(component)) {
      components.set(component, {}) // a recursive schema finds its own name
      components.set(component, fieldsOf(translated(schema, direction, publish)))
    }
    return { $ref: `#/components/schemas/${component}` }
  }
  return {
    publish: (schema, direction) => fieldsOf(publish(schema, direction)),
    components: () =>
      Object.fromEntries([...components].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/**
 * The objects and unions that areas export, each under its first name; a copy of a schema is the same schema.
 */
function namedSchemas(routes: readonly Route[]): ReadonlyMap<string, string> {
  const named = new Map([
    [JSON.stringify(enqueued.schema), 'AcceptedJob'],
    [JSON.stringify(succeeded.schema), 'Success'],
  ])
  for (const area of new Set(routes.map((route) => route.area)))
    for (const [name, schema] of Object.entries(area.schemas ?? {})) {
      const text = JSON.stringify(schema)
      if (isStructured(schema) && !named.has(text)) named.set(text, `${area.name}.${name}`)
    }
  return named
}

const isStructured = (schema: unknown): schema is Fields =>
  isFields(schema) && (schema['properties'] !== undefined || Array.isArray(schema['anyOf']))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const nameOf = (schema: unknown, named: ReadonlyMap<string, string>): string | undefined =>
  isStructured(schema) ? named.get(JSON.stringify(schema)) : undefined

function namesIn(schema: unknown, named: ReadonlyMap<string, string>): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => namesIn(each, named))
  if (!isFields(schema)) return []
  return [
    ...[nameOf(schema, named) ?? []].flat(),
    ...Object.values(schema).flatMap((each) => namesIn(each, named)),
  ]
}

function differsWhenSent(schema: unknown): boolean {
  const inline = (direction: Direction) => {
    const within = (part: unknown): unknown => translated(part, direction, within)
    return JSON.stringify(within(schema))
  }
  return inline('sent') !== inline('shown')
}

/** Values that are not schemas, whatever they contain. */
const plainKeys = new Set(['default', 'const', 'enum', 'required', 'examples'])

/**
 * Translates one schema into OpenAPI: `expects` is our own keyword, and a field with a default is optional.
 */
function translated(
  schema: unknown,
  direction: Direction,
  publish: (part: unknown, direction: Direction) => unknown,
): unknown {
  if (Array.isArray(schema)) return schema.map((part) => publish(part, direction))
  if (!isFields(schema)) return schema
  const { required, properties, expects, ...more } = schema
  const always = direction === 'sent' ? alwaysSent(required, properties) : required
  return {
    ...Object.fromEntries(
      Object.entries(asTyped(more)).map(([key, value]) => [
        key,
        plainKeys.has(key) || key.startsWith('x-') ? value : publish(value, direction),
      ]),
    ),
    ...(Array.isArray(always) && always.length > 0 && { required: always }),
    ...(isFields(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, publish(property, direction)]),
      ),
    }),
    ...(expects !== undefined && { 'x-expects': expects }),
  }
}

/** The limits of a typed value apply once it has been normalized, so a caller may send more than they allow. */
function asTyped(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (schema['x-typed'] === undefined) return schema
  const { pattern: _after, ...sent } = schema
  return { ...sent, maxLength: longestTyped }
}

function alwaysSent(required: unknown, properties: unknown): readonly unknown[] {
  if (!Array.isArray(required) || !isFields(properties)) return []
  return required.filter((name) => {
    const property = properties[name]
    return !isFields(property) || property['default'] === undefined
  })
}
