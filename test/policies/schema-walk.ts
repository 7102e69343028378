import type { TSchema } from 'typebox'
import type { Route } from '../../src/surfaces/routes.ts'

/** The keywords of JSON Schema that policies inspect. */
export interface Keywords {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema | readonly TSchema[]
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly oneOf?: readonly TSchema[]
  readonly prefixItems?: readonly TSchema[]
  readonly patternProperties?: Record<string, TSchema>
  readonly additionalProperties?: TSchema | boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-secret'?: boolean
  readonly 'x-ref'?: string
}

/** A location in a schema: its path, the name of its field, and whether masking reaches it. */
export interface Place {
  readonly at: string
  readonly field: string
  readonly schema: Keywords
  readonly isReached: boolean
}

/** Every location in a schema, depth first. */
export function placesOf(
  schema: TSchema | undefined,
  at: string,
  field = '',
  isReached = true,
): readonly Place[] {
  if (schema === undefined || typeof schema !== 'object') return []
  const keywords = schema as Keywords
  const go = (below: unknown, name: string, reached = isReached, of = field) =>
    placesOf(below as TSchema, `${at}${name}`, of, reached)
  const items = Array.isArray(keywords.items)
    ? keywords.items.flatMap((item) => go(item, '[]', false))
    : go(keywords.items, '[]')
  return [
    { at, field, schema: keywords, isReached },
    ...Object.entries(keywords.properties ?? {}).flatMap(([name, below]) =>
      go(below, `.${name}`, isReached, name),
    ),
    ...items,
    ...(keywords.anyOf ?? []).flatMap((variant) => go(variant, '')),
    ...[...(keywords.allOf ?? []), ...(keywords.oneOf ?? []), ...(keywords.prefixItems ?? [])].flatMap(
      (variant) => go(variant, '', false),
    ),
    ...Object.values(keywords.patternProperties ?? {}).flatMap((below) => go(below, '.*', false)),
    ...(typeof keywords.additionalProperties === 'object'
      ? go(keywords.additionalProperties, '.*', false)
      : []),
  ]
}

/** Every location in the input of an endpoint: path, query, body, or the fields of its upload. */
export function inputsOf({ endpoint }: Route): readonly Place[] {
  const { params, query, body } = endpoint
  const schema = body && 'kind' in body && body.kind === 'upload' ? body.fields : body
  return [
    ...placesOf(params, 'path'),
    ...placesOf(query, 'query'),
    ...placesOf(schema as TSchema | undefined, 'body'),
  ]
}

/** Every location in the reply of an endpoint. */
export const repliesOf = ({ endpoint }: Route): readonly Place[] => placesOf(endpoint.reply.schema, 'reply')
