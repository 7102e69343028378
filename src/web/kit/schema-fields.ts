import type { TObject, TSchema } from 'typebox'
import { humanize } from './format.ts'

interface Keywords {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly expects?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly anyOf?: readonly TSchema[]
  readonly 'x-secret'?: boolean
}

export type Control = 'text' | 'password' | 'number' | 'switch' | 'select' | 'list' | 'hidden'
export type FieldValue = string | number | boolean | readonly string[]

/** One field of a form, as its schema tells. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly control: Control
  readonly isRequired: boolean
  readonly choices: readonly string[]
  readonly first: FieldValue
  readonly expects: string | undefined
  readonly schema: Keywords
}

/** The words of a form that its schema does not hold. */
export type FieldWords = Readonly<Record<string, { readonly label?: string; readonly hint?: string; readonly first?: FieldValue }>>

/** Reads the fields of a form from the schema of the body that it makes. */
export function fieldsOf(schema: TObject, words: FieldWords = {}): readonly Field[] {
  const required: readonly string[] = (schema as { required?: readonly string[] }).required ?? []
  return Object.entries(schema.properties).map(([name, property]) => fieldOf(name, property as Keywords, required.includes(name), words[name]))
}

function fieldOf(name: string, given: Keywords, isRequired: boolean, words: FieldWords[string] = {}): Field {
  const schema: Keywords = given.anyOf && !given.enum ? { ...(given.anyOf[0] as Keywords), ...given } : given
  const isSameWord = schema.description?.replaceAll(' ', '').toLowerCase() === name.replaceAll('_', '').toLowerCase()
  const label = words.label ?? schema.title ?? (isSameWord ? (schema.description as string) : humanize(name))
  const control = controlOf(schema)
  const described = schema.description && schema.description.toLowerCase() !== label.toLowerCase() ? schema.description : undefined
  return {
    name,
    label,
    hint: words.hint ?? described,
    control,
    isRequired,
    choices: schema.enum ?? [],
    first: words.first ?? firstOf(schema, control),
    expects: schema.expects,
    schema,
  }
}

function controlOf(schema: Keywords): Control {
  if (schema['x-secret']) return 'password'
  if (schema.enum) return schema.enum.length === 1 ? 'hidden' : 'select'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type === 'array' ? 'list' : 'text'
}

function firstOf(schema: Keywords, control: Control): FieldValue {
  if (schema.default !== undefined) return schema.default as FieldValue
  if (control === 'switch') return false
  if (control === 'list') return []
  return control === 'select' || control === 'hidden' ? (schema.enum?.[0] ?? '') : ''
}

/** Says what is wrong with a value, before it is sent; the server has the last word. */
export function issueOf({ schema, isRequired, expects, control }: Field, value: FieldValue): string | undefined {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const words = expects ? `Must be ${expects}` : 'This is not valid'
  if (isEmpty)
    return isRequired && control !== 'list' && (schema.minLength !== 0 || control !== 'text') ? (expects ? words : 'This is required') : undefined
  if (typeof value === 'number') return value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity) ? words : undefined
  if (typeof value !== 'string') return undefined
  const isRight =
    value.length >= (schema.minLength ?? 0) &&
    value.length <= (schema.maxLength ?? Infinity) &&
    (!schema.pattern || new RegExp(schema.pattern).test(value))
  return isRight ? undefined : words
}

/** The body that the values make: what was left empty and may be absent is absent. */
export function bodyOf(fields: readonly Field[], values: Readonly<Record<string, FieldValue>>): Record<string, unknown> {
  const kept = fields.filter(({ name, isRequired }) => {
    const value = values[name]
    return isRequired || !(value === '' || value === undefined || (Array.isArray(value) && value.length === 0))
  })
  return Object.fromEntries(kept.map(({ name }) => [name, values[name]]))
}
