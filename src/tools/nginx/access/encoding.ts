/** What the Lua module and the panel tell each other; absent fields are undefined. */
export type Encodable =
  | string
  | number
  | boolean
  | readonly Encodable[]
  | { readonly [key: string]: Encodable | undefined }

/**
 * Encodes a value as bencode with booleans: `2:hi`, `i5e`, `t`, `l…e`, `d…e`. Lengths are bytes, so that no text needs an
 * escape and none is ever taken for another part.
 */
export function encode(value: Encodable): string {
  if (typeof value === 'string') return `${Buffer.byteLength(value)}:${value}`
  if (typeof value === 'number') return `i${Math.trunc(value)}e`
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (isList(value)) return `l${value.map(encode).join('')}e`
  const fields = Object.entries(value).map(([key, field]) =>
    field === undefined ? '' : `${encode(key)}${encode(field)}`,
  )
  return `d${fields.join('')}e`
}

/** Thrown for bytes that the Lua module has not encoded. */
export class Undecodable extends Error {}

/** Decodes what the Lua module has encoded. */
export function decode(bytes: Buffer): unknown {
  const reading = { bytes, at: 0 }
  const value = decodeNext(reading)
  if (reading.at !== bytes.length)
    throw new Undecodable('the reply of the access rules goes on after its end')
  return value
}

interface Reading {
  readonly bytes: Buffer
  at: number
}

function decodeNext(reading: Reading): unknown {
  const { bytes } = reading
  const kind = String.fromCharCode(bytes[reading.at] ?? 0)
  if (kind >= '0' && kind <= '9') return decodeText(reading)
  reading.at += 1
  if (kind === 't' || kind === 'f') return kind === 't'
  if (kind === 'i') return Number(upTo(reading, 'e'))
  if (kind === 'l' || kind === 'd') return kind === 'l' ? decodeItems(reading) : decodeFields(reading)
  throw new Undecodable(`the reply of the access rules is damaged at byte ${reading.at - 1}`)
}

function decodeItems(reading: Reading): readonly unknown[] {
  const items: unknown[] = []
  while (!isEnd(reading)) items.push(decodeNext(reading))
  reading.at += 1
  return items
}

function decodeFields(reading: Reading): object {
  const fields: [string, unknown][] = []
  while (!isEnd(reading)) fields.push([decodeText(reading), decodeNext(reading)])
  reading.at += 1
  return Object.fromEntries(fields)
}

function decodeText(reading: Reading): string {
  const length = Number(upTo(reading, ':'))
  if (!Number.isSafeInteger(length) || length < 0)
    throw new Undecodable('the reply of the access rules has a text without a length')
  const text = reading.bytes.toString('utf8', reading.at, reading.at + length)
  reading.at += length
  return text
}

function upTo(reading: Reading, mark: string): string {
  const end = reading.bytes.indexOf(mark, reading.at)
  if (end < 0) throw new Undecodable('the reply of the access rules ends too early')
  const text = reading.bytes.toString('utf8', reading.at, end)
  reading.at = end + 1
  return text
}

const isEnd = ({ bytes, at }: Reading): boolean => at >= bytes.length || bytes[at] === 0x65

const isList = (value: object): value is readonly Encodable[] => Array.isArray(value)
