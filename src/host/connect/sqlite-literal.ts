import type { SqlStatement } from '../apply/steps.ts'

/** Writes a value as SQLite reads it: a quote is doubled, and a backslash has no meaning (https://sqlite.org/lang_expr.html). Throws for a NUL, which would end the text. */
export function sqliteLiteral(value: SqlStatement['values'][number]): string {
  if (value === null) return 'NULL'
  if (typeof value === 'object') return quoted(value.identifier, '"')
  if (typeof value === 'string') return quoted(value, "'")
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`)
  return String(value)
}

function quoted(text: string, quote: string): string {
  if (text.includes('\0')) throw new Error('a value has a NUL')
  return `${quote}${text.replaceAll(quote, quote + quote)}${quote}`
}
