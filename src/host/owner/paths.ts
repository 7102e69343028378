import { isUtf8 } from 'node:buffer'
import type { ByteString } from './confined/calls.ts'
import { isReserved, trash, unfinished } from './confined/paths.ts'
import { PathInvalid } from './problems.ts'

/**
 * A path in the home: text, or bytes. A leading `/` means the home. In text, a byte that is not UTF-8 is written as the lone surrogate U+DC80
 * to U+DCFF, so that every path can be stored as text without loss (`textOf`).
 */
export type OwnerPath = string | Uint8Array | NamedPath

/** A path with its request field: failures name both. */
export interface NamedPath {
  readonly field: string
  readonly path: string | Uint8Array
}

/** A name in a reply: text, or base64 of its bytes. */
export type NameFields = { readonly name: string } | { readonly name: string; readonly name_b64: string }

/** Validates a path and converts it to the form that the helper accepts; a trailing slash stays, as it requires a folder. */
export function toBytes(path: OwnerPath): ByteString {
  const bytes = bytesOf(path).toString('latin1')
  if (bytes.includes('\0')) throw PathInvalid(`${shown(path)}: NUL in the path`)
  const parts = bytes.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw PathInvalid(`${shown(path)}: .. in the path`)
  if (bytes.length > 4000 || parts.some((part) => part.length > 255))
    throw PathInvalid(`${shown(path)}: the path or a name in it is too long`)
  if (parts.some(isReserved))
    throw PathInvalid(`${shown(path)}: names with ${unfinished} and ${trash} are reserved`)
  return parts.join('/') + (bytes.endsWith('/') && parts.length > 0 ? '/' : '')
}

function bytesOf(path: OwnerPath): Buffer {
  const bare = bareOf(path)
  if (typeof bare !== 'string') return Buffer.from(bare)
  if (bare.isWellFormed()) return Buffer.from(bare)
  const parts = bare.split(/([\udc80-\udcff])/u) // text, stray byte, text …
  if (parts.some((part, at) => at % 2 === 0 && !part.isWellFormed()))
    throw PathInvalid(`${shown(path)}: not valid text`)
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.from([part.charCodeAt(0) - 0xdc00]))),
  )
}

const utf8Parts =
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[^]/g

/** Returns the text of a path's bytes; `toBytes` restores the same bytes, whatever they are. */
export function textOf(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return Buffer.from(bytes).toString('utf8')
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(utf8Parts, (part) => {
      const isStray = part.length === 1 && part.charCodeAt(0) > 0x7f
      return isStray
        ? String.fromCharCode(0xdc00 + part.charCodeAt(0))
        : Buffer.from(part, 'latin1').toString('utf8')
    })
}

/** Returns the validated bytes of a path, without redundant slashes. */
export function pathBytes(path: OwnerPath): Buffer {
  return Buffer.from(toBytes(path), 'latin1')
}

/** Formats a path for a message: as it was sent, after its request field, truncated if it is long. */
export function shown(path: OwnerPath): string {
  const bare = bareOf(path)
  const text = (typeof bare === 'string' ? bare : Buffer.from(bare).toString('utf8')).toWellFormed()
  return `${fieldOf(path)}${text === '' ? 'the home' : visible(text)}`
}

/** Formats an untrusted name on one line: control characters are escaped, a long name is truncated. */
export function visible(text: string): string {
  const line = text
    .slice(0, 300)
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (one) => escapes.get(one) ?? `\\u{${one.codePointAt(0)?.toString(16)}}`,
    )
  return text.length > 300 ? `${line}…` : line
}

const escapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\\0'],
])

/** Returns the prefix of a path in a message. */
export function fieldOf(path: OwnerPath): string {
  return typeof path === 'object' && 'field' in path ? `${path.field}: ` : ''
}

/** Returns a path without its request field. */
export function bareOf(path: OwnerPath): string | Uint8Array {
  return typeof path === 'object' && 'field' in path ? path.path : path
}

/** Returns the name for a reply; one that is not UTF-8 keeps its bytes in `name_b64`. */
export function nameFields(bytes: ByteString): NameFields {
  const buffer = Buffer.from(bytes, 'latin1')
  const name = buffer.toString('utf8')
  return isUtf8(buffer) ? { name } : { name, name_b64: buffer.toString('base64') }
}
