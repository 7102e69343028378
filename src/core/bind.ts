import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { hostnameFromTyped } from './typed-hostname.ts'

/**
 * Binds a value to a schema: fills defaults, drops unknown fields, normalizes typed host names, checks. No type is
 * coerced.
 */
export interface Binder {
  (value: unknown): Bound
}

export type Bound =
  | { readonly value: any; readonly issue?: undefined }
  | { readonly value?: undefined; readonly issue: string }

interface Keywords {
  readonly type?: string
  readonly default?: unknown
  readonly properties?: Record<string, TSchema>
  readonly patternProperties?: Record<string, TSchema>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly expects?: string
  readonly 'x-typed'?: 'hostname'
}

/**
 * Compiles a binder on its first use, so that hundreds of endpoints cost nothing at start. `name` stands for
 * the whole value in messages.
 */
export function binder(schema: TSchema, name: string): Binder {
  let compiled:
    | { check: (value: unknown) => boolean; errors: (value: unknown) => readonly Issue[]; shape: Shape }
    | undefined
  return (value) => {
    compiled ??= compile(schema)
    const shaped = compiled.shape(value)
    if (compiled.check(shaped)) return { value: shaped }
    return { issue: describe(schema, compiled.errors(shaped), name) }
  }
}

/** Binds strings from a path or a query: numbers, booleans and lists are read from their text first. */
export function textBinder(schema: TSchema, name: string): Binder {
  const bind = binder(schema, name)
  const readers = Object.entries((schema as Keywords).properties ?? {}).map(
    ([key, property]) => [key, reader(property)] as const,
  )
  return (value) => {
    const source = value as Record<string, unknown>
    const read: Record<string, unknown> = {}
    for (const [key, readValue] of readers) if (source[key] !== undefined) read[key] = readValue(source[key])
    return bind(read)
  }
}

interface Issue {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: { readonly requiredProperties?: readonly string[] }
}

function compile(schema: TSchema) {
  const validator = Compile(schema)
  return {
    check: (value: unknown) => validator.Check(value),
    errors: (value: unknown) => validator.Errors(value) as unknown as readonly Issue[],
    shape: shaper(schema),
  }
}

type Shape = (value: unknown) => unknown
const asIs: Shape = (value) => value

function shaper(schema: TSchema): Shape {
  const keywords = schema as Keywords
  if (keywords.properties) return objectShaper(keywords.properties)
  if (keywords['x-typed'] === 'hostname')
    return (value) => (typeof value === 'string' ? hostnameFromTyped(value) : value)
  if (!keywords.items) return asIs
  const item = shaper(keywords.items)
  return item === asIs ? asIs : (value) => (Array.isArray(value) ? value.map(item) : value)
}

function objectShaper(properties: Record<string, TSchema>): Shape {
  const fields = Object.entries(properties).map(([key, property]) => ({
    key,
    shape: shaper(property),
    fallback: fallbackOf((property as Keywords).default),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const source = value as Record<string, unknown>
    const shaped: Record<string, unknown> = {}
    for (const { key, shape, fallback } of fields) {
      const given = Object.hasOwn(source, key) ? source[key] : undefined
      if (given !== undefined) shaped[key] = shape(given)
      else if (fallback !== undefined) shaped[key] = fallback()
    }
    return shaped
  }
}

/** Returns what makes a default: a list or an object is a new one each time. */
function fallbackOf(value: unknown): (() => unknown) | undefined {
  if (value === undefined) return undefined
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value
}

function reader(schema: TSchema): (value: unknown) => unknown {
  const { type, items, anyOf } = schema as Keywords
  if (type === 'integer' || type === 'number') return readNumber
  if (type === 'boolean')
    return (value) =>
      value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  if (type === 'array' && items) {
    const read = reader(items)
    return (value) => (Array.isArray(value) ? value : [value]).map(read)
  }
  if (anyOf) return reader(anyOf[0] as TSchema)
  return (value) => value
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}

/** Describes the first error: the field, and what would be right. */
function describe(schema: TSchema, issues: readonly Issue[], name: string): string {
  const issue = issues.find(({ keyword }) => keyword !== 'boolean') // that of a key that is not allowed follows
  if (issue === undefined) return `${name}: is not valid`
  const missing = issue.keyword === 'required' ? issue.params.requiredProperties?.[0] : undefined
  const steps = issue.instancePath.split('/').slice(1)
  const path = missing === undefined ? steps : [...steps, missing]
  const field =
    path.length === 0 ? name : path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  const expects = expectation(schema, path)
  if (missing !== undefined) return `${field}: is required${expects ? `; it must be ${expects}` : ''}`
  return expects ? `${field}: must be ${expects}` : `${field}: ${issue.message}`
}

function expectation(schema: TSchema, path: readonly string[]): string | undefined {
  let current: Keywords | undefined = schema as Keywords
  for (const part of path)
    current =
      below(current, part) ?? current?.anyOf?.map((each) => below(each as Keywords, part)).find(Boolean)
  return current?.expects ?? typeText[current?.type ?? '']
}

/** A nullable schema is a union with null; the values of a record have one schema. */
function below(schema: Keywords | undefined, part: string): Keywords | undefined {
  const [ofRecord] = Object.values(schema?.patternProperties ?? {})
  return (schema?.properties?.[part] ?? ofRecord ?? schema?.items) as Keywords | undefined
}

const typeText: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  array: 'a list',
  boolean: 'true or false',
}
