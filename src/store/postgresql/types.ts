import type { CustomTypesConfig } from 'pg'

const boolean = 16
const numbers: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]) // int8, int2, int4, float4, float8, numeric

/** Reads values as SQLite returns them: numbers, with booleans among them, and texts. */
export const typesAsInSqlite: CustomTypesConfig = {
  getTypeParser: (type) => (value: unknown) => {
    if (type === boolean) return value === 't' ? 1 : 0
    return numbers.has(type) ? Number(value) : value
  },
}

/** PostgreSQL has no text with the character 0. */
export const storable = <Value>(value: Value): Value | string =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
