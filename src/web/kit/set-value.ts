import type { FieldValue, FieldValues } from './schema-fields.ts'

/** Returns the values with another one at a path such as `binds.0.port`. */
export function setValue(values: FieldValues, path: string, value: FieldValue): FieldValues {
  const [name = '', index, ...rest] = path.split('.')
  const rows = values[name]
  if (index === undefined || !Array.isArray(rows)) return { ...values, [name]: value }
  const next = (rows as readonly FieldValues[]).map((row, at) =>
    at === Number(index) ? setValue(row, rest.join('.'), value) : row,
  )
  return { ...values, [name]: next }
}
