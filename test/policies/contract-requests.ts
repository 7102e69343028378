import type { TSchema } from 'typebox'
import { listParameters } from '../../src/core/reply.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import type { Row, StatedField } from './contract.ts'
import type { Keywords } from './schema-walk.ts'
import { hasType } from './stated-types.ts'

interface Fields {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required: readonly string[]
}

/** A request that the contract allows must bind: every field is accepted, with its type and default, and no other is required. */
export function requestDeviations(row: Row, route: Route): readonly string[] {
  const places = acceptedBy(route)
  const stated = row.request ?? {}
  return Object.entries(places).flatMap(([place, { properties, required }]) => [
    ...Object.entries(stated[place] ?? {}).flatMap(([name, field]) =>
      fieldDeviations(`${place}.${name}`, field, properties[name]),
    ),
    ...required
      .filter((name) => stated[place]?.[name]?.required !== true)
      .map((name) => `${place}.${name} is required, not in the contract`),
  ])
}

function acceptedBy({ endpoint, guard }: Route): Readonly<Record<string, Fields>> {
  const { params, query, body, reply } = endpoint
  const listing = reply.list && ({ type: 'object', properties: listParameters(reply.list) } as TSchema)
  const isUpload = body !== undefined && 'kind' in body && body.kind === 'upload'
  const header = guard.kind === 'key' ? { [guard.header]: { type: 'string' } as TSchema } : {}
  return {
    path: fieldsOf(params),
    query: {
      ...fieldsOf(query),
      properties: { ...fieldsOf(listing).properties, ...fieldsOf(query).properties },
    },
    body: isUpload ? fieldsOf(undefined) : fieldsOf(body as TSchema | undefined),
    multipart: isUpload ? withFile(fieldsOf(body.fields)) : fieldsOf(undefined),
    headers: { properties: header, required: [] },
  }
}

function fieldsOf(schema: TSchema | undefined): Fields {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<Fields>
  return { properties, required: required.filter((name) => !('default' in (properties[name] ?? {}))) }
}

const withFile = ({ properties, required }: Fields): Fields => ({
  properties: { ...properties, file: { type: 'string', format: 'binary' } as TSchema },
  required,
})

function fieldDeviations(at: string, stated: StatedField, schema: TSchema | undefined): readonly string[] {
  if (schema === undefined) return [`${at} is not accepted`]
  const keywords = schema as Keywords & { readonly default?: unknown }
  const type = hasType(keywords, stated.type ?? '') ? [] : [`${at} is not of the type ${stated.type}`]
  const isDefault = stated.default === undefined || String(keywords.default) === String(stated.default)
  return isDefault
    ? type
    : [...type, `${at} has the default ${keywords.default}, the contract ${stated.default}`]
}
