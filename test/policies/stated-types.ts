import type { Keywords } from './schema-walk.ts'

const typeNames: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  int: ['integer', 'number'],
  uint: ['integer', 'number'],
  int64: ['integer', 'number'],
  number: ['integer', 'number'],
  float: ['number', 'integer'],
  bool: ['boolean'],
  object: ['object'],
  list: ['array'],
  file: ['string'],
}

/** The variants of a schema: itself, or the members of its union. */
export const variantsOf = (schema: Keywords): readonly Keywords[] =>
  schema.anyOf ? schema.anyOf.flatMap((variant) => variantsOf(variant as Keywords)) : [schema]

/** Whether a schema allows values of a type that the contract states: a type, a list of it (`string[]`), a quoted value, `true`; empty allows all. */
export function hasType(schema: Keywords, stated: string): boolean {
  if (stated === '') return true
  const value = stated === 'true' ? true : stated === 'false' ? false : /^'(.*)'$/.exec(stated)?.[1]
  return variantsOf(schema).some((variant) => {
    if (value !== undefined) return allows(variant, value)
    if (stated.endsWith('[]')) return isListOf(variant, stated.slice(0, -2))
    return typesOf(variant).some((type) => typeNames[stated]?.includes(type))
  })
}

function allows({ const: only, enum: some, type }: Keywords, value: string | boolean): boolean {
  if (only !== undefined) return only === value
  return some ? some.includes(value) : type === typeof value
}

function isListOf(schema: Keywords, stated: string): boolean {
  return schema.type === 'array' && !Array.isArray(schema.items) && hasType(schema.items as Keywords, stated)
}

function typesOf({ type, enum: some, const: only }: Keywords): readonly string[] {
  if (type !== undefined) return [type]
  return [...(some ?? []), ...(only === undefined ? [] : [only])].map((value) => typeof value)
}
