import { isUtf8 } from 'node:buffer'
import { BadRequest } from '../../core/problem.ts'
import type { encodings } from './model.ts'

/** Text encodings of files. `utf-8-bom` is UTF-8 with a byte order mark; UTF-16 is recognized only with one. */
export type EncodingName = (typeof encodings)[number]

const marks = {
  'utf-8-bom': Buffer.from('efbbbf', 'hex'),
  'utf-16le': Buffer.from('fffe', 'hex'),
  'utf-16be': Buffer.from('feff', 'hex'),
}

/** Returns the encoding and the size of the byte order mark at the start of a file. */
export function markOf(
  start: Uint8Array,
): { readonly encoding: keyof typeof marks; readonly sizeBytes: number } | undefined {
  for (const encoding of ['utf-8-bom', 'utf-16le', 'utf-16be'] as const) {
    const mark = marks[encoding]
    if (mark.equals(start.subarray(0, mark.length))) return { encoding, sizeBytes: mark.length }
  }
  return undefined
}

/** Decodes bytes by their byte order mark, else as UTF-8, else as a single-byte encoding; binary content is returned in base64. */
export function decode(
  bytes: Buffer,
  mark: ReturnType<typeof markOf> = undefined,
): { readonly content: string; readonly encoding: EncodingName } {
  const encoding = mark === undefined ? guess(bytes) : mark.encoding
  const content = textIn(bytes, encoding)
  if (content !== undefined) return { content, encoding }
  return { content: bytes.toString('base64'), encoding: 'base64' }
}

/** Encodes the text of a whole file, with the byte order mark of its encoding; throws if the encoding lacks a character. */
export function encode(content: string, encoding: EncodingName): Buffer {
  if (encoding === 'base64') return fromBase64(content)
  if (!content.isWellFormed()) throw BadRequest('content: must be valid Unicode, without lone surrogates')
  if (encoding === 'iso-8859-1' || encoding === 'windows-1252') return fromOneByte(content, encoding)
  const bytes = Buffer.from(content, encoding.startsWith('utf-8') ? 'utf8' : 'utf16le')
  return Buffer.concat([
    encoding === 'utf-8' ? Buffer.alloc(0) : marks[encoding],
    encoding === 'utf-16be' ? bytes.swap16() : bytes,
  ])
}

function guess(bytes: Buffer): EncodingName {
  if (bytes.includes(0)) return 'base64'
  if (isUtf8(bytes)) return 'utf-8'
  if (bytes.some(isOddControl)) return 'base64'
  return bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? 'windows-1252' : 'iso-8859-1'
}

// Of the control characters, text contains only tabs, line ends, form feeds and escape sequences.
function isOddControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f
}

function textIn(bytes: Buffer, encoding: EncodingName): string | undefined {
  if (encoding === 'base64') return undefined
  if (encoding.startsWith('utf-8'))
    return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
  if (encoding === 'iso-8859-1') return bytes.toString('latin1')
  if (encoding === 'windows-1252')
    return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (c) => upper[c.charCodeAt(0) - 0x80] ?? c)
  if (bytes.length % 2 !== 0) return undefined
  const text = (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le')
  return text.isWellFormed() ? text : undefined
}

// Bytes 80 to 9F of Windows-1252 by the Encoding Standard; the five unassigned ones map to themselves and are preserved.
const upper = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ']
const upperBytes = new Map(upper.map((character, at) => [character, String.fromCharCode(0x80 + at)]))

function fromOneByte(content: string, encoding: 'iso-8859-1' | 'windows-1252'): Buffer {
  const mapped =
    encoding === 'iso-8859-1'
      ? content
      : content.replaceAll(/[^\x00-\x7f\xa0-\xff]/gu, (c) => upperBytes.get(c) ?? '\u{ffff}')
  const lost = [...mapped].findIndex((character) => character > '\xff')
  if (lost >= 0)
    throw BadRequest(
      `content: ${[...content][lost]} cannot be encoded as ${encoding}; write the file as utf-8`,
    )
  return Buffer.from(mapped, 'latin1')
}

function fromBase64(content: string): Buffer {
  const digits = content.replaceAll(/[\r\n]/g, '').replace(/={0,2}$/, '')
  if (!/^[A-Za-z0-9+/_-]*$/.test(digits) || digits.length % 4 === 1)
    throw BadRequest('content: must be base64')
  return Buffer.from(digits, 'base64')
}

/** Moves the two ends of a part forward so that they do not cut a character. */
export function wholeCharacters(bytes: Buffer, { from, to }: Cut, encoding: EncodingName | undefined): Cut {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return wholeUnits(bytes, { from, to }, encoding)
  return { from: from === 0 ? 0 : skipRest(bytes, from), to: skipRest(bytes, to) }
}

/** The offsets of the first byte of a part and of the byte after its last. */
export interface Cut {
  readonly from: number
  readonly to: number
}

// Skips the rest of a UTF-8 character, at most three bytes. In other encodings there is none to skip.
function skipRest(bytes: Buffer, at: number): number {
  for (let back = 1; back <= 3 && at - back >= 0; back++) {
    const first = bytes[at - back] ?? 0
    if ((first & 0xc0) === 0x80) continue
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
    const end = at - back + length
    return end > at && end <= bytes.length && isUtf8(bytes.subarray(at - back, end)) ? end : at
  }
  return at
}

// Invariant: offsets are even relative to the file, because the buffer begins at an even offset.
function wholeUnits(bytes: Buffer, { from, to }: Cut, encoding: EncodingName): Cut {
  const isLateHalf = (at: number) => ((bytes[encoding === 'utf-16le' ? at + 1 : at] ?? 0) & 0xfc) === 0xdc
  const forward = (at: number) => {
    const even = Math.min(bytes.length, at + (at % 2))
    return even < bytes.length && isLateHalf(even) ? Math.min(bytes.length, even + 2) : even
  }
  return { from: from === 0 ? 0 : forward(from), to: forward(to) }
}
