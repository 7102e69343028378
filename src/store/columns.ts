import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Scalar } from '../core/change.ts'

/** A column of a type that SQLite and PostgreSQL both have: `Stored` is in the row, `Value` is what verbs give and replies show. */
export interface Column<Stored extends Scalar = Scalar, Value = unknown, IsShown extends boolean = boolean> {
  readonly type: 'integer' | 'text'
  readonly isNullable: boolean
  readonly isUnique: boolean
  readonly isKey: boolean
  /** False for what no reply ever contains. */
  readonly isShown: IsShown
  /** The table whose `id` the column contains. */
  readonly refersTo: string | undefined
  encode(value: Value): Stored
  decode(stored: Stored): Value
}

type Shown<Stored extends Scalar, Value = Stored> = Column<Stored, Value, true>

const traits = {
  isNullable: false,
  isUnique: false,
  isKey: false,
  isShown: true,
  refersTo: undefined,
} as const
const same = <Value>(value: Value): Value => value
const number = { ...traits, type: 'integer', encode: same<number>, decode: same<number> } as const

/** The identifier of a row, from the request's `id(table)`. */
export const id = (): Shown<number> => ({ ...number, isKey: true })

/** A whole number. */
export const integer = (options: { readonly key?: boolean } = {}): Shown<number> => ({
  ...number,
  isKey: options.key === true,
})

/** The `id` of a row of another table. */
export const ref = (table: string, options: { readonly key?: boolean } = {}): Shown<number> => ({
  ...number,
  isKey: options.key === true,
  refersTo: table,
})

/** The revision of a row: 1 in a new row, and one more with each update. */
export const revision = (): Shown<number> => number

/** Stored as 0 or 1. */
export const boolean = (): Shown<number, boolean> => ({
  ...number,
  encode: Number,
  decode: (stored) => stored === 1,
})

interface TextOptions {
  readonly unique?: boolean
  /** Part of the primary key. */
  readonly key?: boolean
}

/** Text of at most `maxLength` characters; a longer one is a bug, because the schema of the request has to refuse it. */
export const text = (
  maxLength: number,
  { unique = false, key = false }: TextOptions = {},
): Shown<string> => ({
  ...traits,
  type: 'text',
  isUnique: unique,
  isKey: key,
  encode: (value) => {
    if (value.length > maxLength)
      throw new RangeError(`a text of ${value.length} characters, at most ${maxLength}`)
    return value
  },
  decode: same,
})

/** A time as RFC 3339 text in UTC. */
export const time = (): Shown<string> => text(30)

/** One of these texts; another one is a bug. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  options: { readonly key?: boolean } = {},
): Shown<Value> => ({
  ...traits,
  type: 'text',
  isKey: options.key === true,
  encode: (value) => {
    if (!values.includes(value)) throw new RangeError(`${value} is not one of ${values.join(', ')}`)
    return value
  },
  decode: same,
})

/** A value of a schema, stored as JSON. */
export function json<Schema extends TSchema>(schema: Schema): Shown<string, Static<Schema>> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  const decode = (stored: string): Static<Schema> => (compiled ??= Compile(schema)).Parse(JSON.parse(stored))
  return { ...traits, type: 'text', encode: (value) => JSON.stringify(value), decode }
}

/** Text that no reply contains: a hash, or what the store has sealed. */
export const secret = (options: TextOptions = {}): Column<string, string, false> => ({
  ...text(100_000, options),
  isShown: false,
})

/** The same column, or null. */
export function optional<Stored extends Scalar, Value, IsShown extends boolean>(
  column: Column<Stored, Value, IsShown>,
): Column<Stored | null, Value | null, IsShown> {
  return {
    ...column,
    isNullable: true,
    encode: (value) => (value === null ? null : column.encode(value)),
    decode: (stored) => (stored === null ? null : column.decode(stored)),
  }
}
