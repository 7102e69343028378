import { RecordInvalid } from '../problems.ts'
import { fieldsOf, type Position } from './fields.ts'

const longestString = 255
/** PowerDNS keeps the data of a record in a column of this length. */
const longestContent = 64_000

/** Returns character strings of at most 255 bytes in quotes, from quoted ones or from bare text. */
export function texts(content: string, position: Position): string {
  const strings = /^\s*"/.test(content)
    ? fieldsOf(content, position).map((part) => unescape(unquoted(part, position), position))
    : [Buffer.from(content)]
  const parts = strings.flatMap(chunks).map(quote)
  return bounded(parts.join(' '), position)
}

/** Returns a content that fits into the column of PowerDNS. */
export function bounded(content: string, { field }: Position): string {
  if (content.length > longestContent)
    throw RecordInvalid(
      `${field}: a record has at most ${longestContent} characters, and this one ${content.length}`,
    )
  return content
}

/** Returns one character string in quotes. */
export function text(part: string, position: Position): string {
  const bytes = part.startsWith('"') ? unescape(unquoted(part, position), position) : Buffer.from(part)
  if (bytes.length > longestString)
    throw RecordInvalid(
      `${position.field}: a text has at most ${longestString} bytes, and this one ${bytes.length}`,
    )
  return quote(bytes)
}

/**
 * Returns the value of a parameter of a service binding in quotes. It may be longer than a character string, and
 * has the same escapes with and without quotes (RFC 9460, 2.1).
 */
export function parameterValue(part: string, position: Position): string {
  const quoted = part.startsWith('"') ? part : `"${part}"`
  if (!/^"(?:[^"\\]|\\[\s\S])*"$/.test(quoted))
    throw RecordInvalid(`${position.field}: the value of a parameter is in quotes as a whole, or not at all`)
  return quote(unescape(quoted.slice(1, -1), position))
}

function unquoted(part: string, { field }: Position): string {
  if (!/^"[\s\S]*"$/.test(part)) throw RecordInvalid(`${field}: either each text is in quotes, or none`)
  return part.slice(1, -1)
}

/** `\"` is a quote, and `\195` the byte of that number (RFC 1035, 5.1). */
function unescape(quoted: string, { field }: Position): Buffer {
  const bytes: Buffer[] = []
  for (const [, code, escaped, plain] of quoted.matchAll(/\\(\d{3})|\\([\s\S])|([^\\]+)/g)) {
    if (code !== undefined && Number(code) > 255)
      throw RecordInvalid(`${field}: \\${code} is no byte: escapes go from \\000 to \\255`)
    bytes.push(code === undefined ? Buffer.from(escaped ?? plain ?? '') : Buffer.from([Number(code)]))
  }
  return Buffer.concat(bytes)
}

function chunks(bytes: Buffer): readonly Buffer[] {
  if (bytes.length === 0) return [bytes]
  const count = Math.ceil(bytes.length / longestString)
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * longestString, (at + 1) * longestString),
  )
}

function quote(bytes: Buffer): string {
  let quoted = ''
  for (const byte of bytes) {
    const one = String.fromCharCode(byte)
    if (one === '"' || one === '\\') quoted += `\\${one}`
    else quoted += byte >= 0x20 && byte < 0x7f ? one : `\\${String(byte).padStart(3, '0')}`
  }
  return `"${quoted}"`
}
