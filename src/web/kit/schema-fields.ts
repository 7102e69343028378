import type { TObject, TSchema } from 'typebox'
import { hostnameFromTyped } from '../../core/typed-hostname.ts'
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
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: Keywords
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly 'x-secret'?: boolean
  readonly 'x-typed'?: 'hostname'
}

export type Control =
  | 'text'
  | 'password'
  | 'number'
  | 'switch'
  | 'select'
  | 'list'
  | 'checks'
  | 'rows'
  | 'group'
  | 'hidden'
export type FieldValue = string | number | boolean | readonly string[] | FieldValues | readonly FieldValues[]

/** The values of a form by field name. */
export interface FieldValues {
  readonly [name: string]: FieldValue
}

/** The sibling switch that must be on for a field to apply, or a condition on the values of the form. */
type When = string | ((values: FieldValues) => boolean)

/** One field of a form, derived from its schema. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly control: Control
  readonly isRequired: boolean
  /** Its schema has a default, which stands for an empty field: it need not be filled in. */
  readonly hasDefault: boolean
  /** An empty field is sent as null if the form sends empty fields. */
  readonly isNullable: boolean
  readonly choices: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly first: FieldValue
  readonly expects: string | undefined
  readonly when: When | undefined
  readonly schema: Keywords
  /** The lines of a field for text of several lines; undefined for a single line. */
  readonly rows: number | undefined
  /** The fields of each row, or of the group. */
  readonly fields: readonly Field[]
}

/**
 * Texts of a form that its schema does not contain, by field path: `binds.address` is a field of each row of
 * `binds`.
 */
export type FieldTexts = Readonly<
  Record<
    string,
    {
      readonly label?: string
      readonly hint?: string
      readonly first?: FieldValue
      readonly choices?: readonly string[]
      /** The texts of the choices; a list of labelled choices is shown as checkboxes. */
      readonly labels?: Readonly<Record<string, string>>
      readonly when?: When
      /** Makes it a field for text of several lines, and shows this many. */
      readonly rows?: number
    }
  >
>

/** Derives the fields of a form from the schema of the request body. */
export function fieldsOf(schema: TObject, text: FieldTexts = {}): readonly Field[] {
  return fieldsAt(schema as Keywords, text, '')
}

function fieldsAt(
  { properties = {}, required = [] }: Keywords,
  text: FieldTexts,
  prefix: string,
): readonly Field[] {
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property as Keywords, {
      isRequired: required.includes(name),
      text,
      path: `${prefix}${name}`,
    }),
  )
}

interface FieldPlace {
  readonly isRequired: boolean
  readonly text: FieldTexts
  readonly path: string
}

function fieldOf(name: string, given: Keywords, { isRequired, text, path }: FieldPlace): Field {
  const schema: Keywords = given.anyOf && !given.enum ? { ...(given.anyOf[0] as Keywords), ...given } : given
  const own = text[path] ?? {}
  const isSameWord =
    schema.description?.replaceAll(' ', '').toLowerCase() === name.replaceAll('_', '').toLowerCase()
  const label = own.label ?? schema.title ?? (isSameWord ? (schema.description as string) : humanize(name))
  const control = schema.type === 'array' && own.labels ? 'checks' : controlOf(schema)
  const described =
    schema.description && schema.description.toLowerCase() !== label.toLowerCase()
      ? schema.description
      : undefined
  return {
    name,
    label,
    hint: own.hint ?? described,
    control,
    isRequired,
    hasDefault: schema.default !== undefined && (schema.minItems ?? 0) === 0,
    isNullable: given.anyOf?.some((each) => (each as Keywords).type === 'null') ?? false,
    choices: own.choices ?? schema.enum ?? Object.keys(own.labels ?? {}),
    labels: own.labels ?? {},
    first: own.first ?? firstOf(schema, control, isRequired),
    expects: schema.expects,
    when: own.when,
    rows: own.rows,
    schema,
    fields: fieldsAt(
      (control === 'rows' ? schema.items : control === 'group' ? schema : undefined) ?? {},
      text,
      `${path}.`,
    ),
  }
}

function controlOf(schema: Keywords): Control {
  if (schema['x-secret']) return 'password'
  if (schema.enum) return schema.enum.length === 1 ? 'hidden' : 'select'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'object') return 'group'
  if (schema.type === 'array') return schema.items?.type === 'object' ? 'rows' : 'list'
  return 'text'
}

function firstOf(schema: Keywords, control: Control, isRequired: boolean): FieldValue {
  if (schema.default !== undefined) return schema.default as FieldValue
  if (control === 'switch') return false
  if (control === 'list' || control === 'checks' || control === 'rows') return []
  if (control === 'group') return isRequired ? {} : ''
  return control === 'hidden' || (control === 'select' && isRequired) ? (schema.enum?.[0] ?? '') : ''
}

/** Returns the fields that apply with the current values. */
export const shownFields = (fields: readonly Field[], values: FieldValues): readonly Field[] =>
  fields.filter(({ when }) => {
    if (typeof when === 'function') return when(values)
    return when === undefined || values[when] === true
  })

/** Returns the initial values of a form; `given` is the current object as the API returns it. */
export function firstValues(
  fields: readonly Field[],
  given?: Readonly<Record<string, unknown>>,
): FieldValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, given ? valueOf(field, given[field.name]) : startOf(field)]),
  )
}

/** A list that must not be empty starts with one row. */
function startOf({ control, first, fields, schema }: Field): FieldValue {
  if (control === 'group' && first !== '')
    return firstValues(fields, first as Readonly<Record<string, unknown>>)
  return control === 'rows' && (schema.minItems ?? 0) > 0 && Array.isArray(first) && first.length === 0
    ? [firstValues(fields)]
    : first
}

function valueOf(field: Field, given: unknown): FieldValue {
  if (given === null || given === undefined) return absent(field)
  if (field.control === 'rows')
    return (given as readonly Readonly<Record<string, unknown>>[]).map((row) =>
      firstValues(field.fields, row),
    )
  if (field.control === 'group') return firstValues(field.fields, given as Readonly<Record<string, unknown>>)
  return given as FieldValue
}

function absent({ control, isRequired, fields }: Field): FieldValue {
  if (control === 'group' && isRequired) return firstValues(fields)
  if (control === 'list' || control === 'checks' || control === 'rows') return []
  return control === 'switch' ? false : ''
}

/**
 * Validates the shown values before they are sent and returns messages by field path; the server validates
 * again.
 */
export function issuesOf(
  fields: readonly Field[],
  values: FieldValues,
  prefix = '',
): Readonly<Record<string, string>> {
  const found = shownFields(fields, values).flatMap((field): readonly (readonly [string, string])[] => {
    const path = `${prefix}${field.name}`
    const value = normalized(field, values[field.name] ?? '')
    if (field.control === 'rows')
      return (value as readonly FieldValues[]).flatMap((row, index) =>
        Object.entries(issuesOf(field.fields, row, `${path}.${index}.`)),
      )
    if (field.control === 'group' && value !== '')
      return Object.entries(issuesOf(field.fields, value as FieldValues, `${path}.`))
    const issue = issueOf(field, value)
    return issue === undefined ? [] : [[path, issue]]
  })
  return Object.fromEntries(found)
}

function issueOf(
  { schema, isRequired, hasDefault, isNullable, expects, control }: Field,
  value: FieldValue,
): string | undefined {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const text = expects ? `Must be ${expects}` : 'Invalid value'
  const mayBeEmpty = hasDefault || isNullable || (schema.minLength === 0 && control === 'text')
  if (isEmpty)
    return isRequired && !mayBeEmpty && control !== 'list' ? (expects ? text : 'Required') : undefined
  if (typeof value === 'number')
    return value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity) ? text : undefined
  if (typeof value !== 'string') return undefined
  const isRight =
    value.length >= (schema.minLength ?? 0) &&
    value.length <= (schema.maxLength ?? Infinity) &&
    (!schema.pattern || new RegExp(schema.pattern).test(value))
  return isRight ? undefined : text
}

/** Returns a typed host name, or a list of them, as the server will store it; other values as they are. */
export function normalized({ schema }: Pick<Field, 'schema'>, value: FieldValue): FieldValue {
  if (typeof value === 'string') return schema['x-typed'] === 'hostname' ? hostnameFromTyped(value) : value
  return Array.isArray(value) && schema.items?.['x-typed'] === 'hostname'
    ? [...new Set((value as readonly string[]).map(hostnameFromTyped))]
    : value
}

/**
 * Builds the body from the values; an empty optional field is omitted, or sent as empty if `sendsEmpty` is
 * set. An empty text or number that has a default is sent as that.
 */
export function bodyOf(
  fields: readonly Field[],
  values: FieldValues,
  sendsEmpty = false,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => partOf(field, normalized(field, values[field.name] ?? ''), sendsEmpty)),
  )
}

function partOf(
  field: Field,
  value: FieldValue,
  sendsEmpty: boolean,
): readonly (readonly [string, unknown])[] {
  const { name, control, isRequired, isNullable } = field
  if (control === 'rows' && (value as readonly FieldValues[]).length > 0)
    return [[name, (value as readonly FieldValues[]).map((row) => bodyOf(field.fields, row, sendsEmpty))]]
  if (control === 'group' && value !== '') {
    const body = bodyOf(field.fields, value as FieldValues, sendsEmpty)
    return [[name, body]]
  }
  if (value === false && !isRequired && !sendsEmpty && field.schema.default === undefined) return []
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  if (!isEmpty) return [[name, value]]
  if (isNullable && (sendsEmpty || isRequired)) return [[name, null]]
  if (isRequired && field.hasDefault && value === '' && field.schema.minLength !== 0)
    return [[name, field.schema.default]]
  return isRequired || (sendsEmpty && Array.isArray(value)) ? [[name, value]] : []
}
