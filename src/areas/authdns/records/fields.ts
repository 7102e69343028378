import { RecordInvalid } from '../problems.ts'

/** Where a record is, for messages and relative names. */
export interface Position {
  readonly zone: string
  /** `rrsets[0].records[1].content`. */
  readonly field: string
}

/** Splits the data of a record into fields; texts in quotes stay together, with their quotes. */
export const fieldsOf = (content: string, position: Position): readonly string[] =>
  split(content, position, /\s*(?:"(?:[^"\\]|\\[\s\S])*"|[^\s"]+)/y)

/** Splits the data of a service binding; the value of a parameter may be in quotes, and stays with its key. */
export const parametersOf = (content: string, position: Position): readonly string[] =>
  split(content, position, /\s*(?:"(?:[^"\\]|\\[\s\S])*"|\\\S|[^\s"\\])+/y)

function split(content: string, { field }: Position, part: RegExp): readonly string[] {
  const fields: string[] = []
  let at = 0
  while (at < content.length) {
    part.lastIndex = at
    const [found] = part.exec(content) ?? []
    if (found === undefined) {
      const rest = content.slice(at).trim()
      if (rest === '') break
      const fault = rest.startsWith('\\') ? 'a backslash has no character after it' : 'a quote is not closed'
      throw RecordInvalid(`${field}: ${fault}`)
    }
    fields.push(found.trim())
    at = part.lastIndex
  }
  return fields
}

/** Refuses another number of fields. */
export function counted(fields: readonly string[], count: number, form: string, { field }: Position): void {
  if (fields.length !== count) throw RecordInvalid(`${field}: must have the form ${form}`)
}

/** Returns a whole number of a field within a range. */
export function integer(text: string | undefined, what: string, max: number, { field }: Position): number {
  if (!/^\d{1,10}$/.test(text ?? '') || Number(text) > max)
    throw RecordInvalid(`${field}: the ${what} must be a number from 0 to ${max}`)
  return Number(text)
}

/** Returns hexadecimal digits, which may have been written in several fields. */
export function hex(fields: readonly string[], what: string, { field }: Position): string {
  const digits = fields.join('').toLowerCase()
  if (digits.length === 0 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/.test(digits))
    throw RecordInvalid(`${field}: the ${what} must be hexadecimal digits, two for each byte`)
  return digits
}
