import type { Mirrored } from '../../core/mirrored.ts'
import { point } from '../../core/point.ts'
import { namesRow } from '../../core/schemas.ts'
import { NameUnknown } from './problems.ts'

/** A kind of row that each panel knows by an id of its own, and all by one name, such as a domain. */
export interface NaturalKey {
  /** As `Ref` names it. */
  readonly noun: string
  /** The paths whose last parameter is the id of such a row: `/api/websites/{id}`. */
  readonly paths: readonly string[]
  readonly nameOf: (id: number) => Promise<string | undefined>
  readonly idOf: (name: string) => Promise<number | undefined>
}

export const naturalKeys = point<NaturalKey>('rows that other panels know by another id')

/** An id in a request, and the name by which the other panel finds its own. */
export interface Reference {
  /** The segment of the path, or the field of the body. */
  readonly at: number | string
  readonly noun: string
  readonly name: string
}

/** Returns the references of a request; a sentence where it names a row that other panels do not find. */
export async function referencesOf(
  keys: readonly NaturalKey[],
  { path, params, body, endpoint }: Mirrored,
): Promise<readonly Reference[] | string> {
  const found: Reference[] = []
  for (const { at, key, id, named } of [
    ...idsInPath(keys, path, params, endpoint.params),
    ...idsInBody(keys, body, endpoint.body),
  ]) {
    const name = await key?.nameOf(id)
    if (key === undefined || name === undefined)
      return `${named} ${id} has no name by which another server would find it: make the change there too`
    found.push({ at, noun: key.noun, name })
  }
  return found
}

interface FoundId {
  readonly at: number | string
  readonly key: NaturalKey | undefined
  readonly id: number
  /** How the request names it. */
  readonly named: string
}

function idsInPath(
  keys: readonly NaturalKey[],
  path: string,
  params: unknown,
  schema: unknown,
): readonly FoundId[] {
  const segments = path.split('/')
  const given = new Map(Object.entries(params ?? {}))
  return segments.flatMap((segment, at) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined || propertiesOf(schema)[name]?.type !== 'integer') return []
    const until = segments.slice(0, at + 1).join('/')
    const key = keys.find(({ paths }) => paths.includes(until))
    return [{ at, key, id: Number(given.get(name)), named: name }]
  })
}

function idsInBody(
  keys: readonly NaturalKey[],
  body: string | undefined,
  schema: unknown,
): readonly FoundId[] {
  const fields = Object.entries(propertiesOf(schema)).filter(([, { items, ...field }]) =>
    namesRow(items ?? field),
  )
  const given = body === undefined || fields.length === 0 ? {} : parsed(body)
  return fields.flatMap(([name, { 'x-ref': noun }]) => {
    const value = given[name]
    const id: unknown = Array.isArray(value) ? value[0] : value
    if (typeof id !== 'number') return []
    return [{ at: name, key: keys.find((each) => each.noun === noun), id, named: name }]
  })
}

/** Some endpoints take a body that is no JSON for an empty one. */
function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

interface Property {
  readonly type?: string
  readonly description?: string
  readonly 'x-ref'?: string
  /** Of a list. */
  readonly items?: Omit<Property, 'items'>
}

type Properties = Readonly<Record<string, Property>>

const propertiesOf = (schema: unknown): Properties => (hasProperties(schema) ? schema.properties : {})

const hasProperties = (schema: unknown): schema is { readonly properties: Properties } =>
  schema instanceof Object && 'properties' in schema

/** Returns the id that this panel has for a name; fails with 404 where there is none. */
export async function findReference(
  keys: readonly NaturalKey[],
  { noun, name }: { readonly noun: string; readonly name: string },
): Promise<{ readonly id: number }> {
  const key = keys.find((each) => each.noun === noun)
  if (key === undefined) throw NameUnknown(`noun: this panel knows no ${noun}`)
  const id = await key.idOf(name)
  if (id === undefined) throw NameUnknown(`name: there is no ${noun} ${name} on this server`)
  return { id }
}
