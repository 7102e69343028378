import { isUtf8 } from 'node:buffer'
import type { ByteString } from './confined/calls.ts'
import { isReserved, trash, unfinished } from './confined/paths.ts'
import { PathInvalid } from './problems.ts'

/** A path in the home: text, or bytes where the name is not UTF-8. A leading `/` means the home. */
export type OwnerPath = string | Uint8Array

/** A name as a reply carries it: text, or base64 of its bytes. */
export type NameFields = { readonly name: string } | { readonly name: string; readonly name_b64: string }

/** Checks a path and brings it to the form that the confined program takes; a trailing slash stays, it asks for a folder. */
export function toBytes(path: OwnerPath): ByteString {
  if (typeof path === 'string' && !path.isWellFormed()) throw PathInvalid(`${shown(path)}: not valid text`)
  const bytes = Buffer.from(path).toString('latin1')
  if (bytes.includes('\0')) throw PathInvalid(`${shown(path)}: NUL in the path`)
  const parts = bytes.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw PathInvalid(`${shown(path)}: .. in the path`)
  if (bytes.length > 4000 || parts.some((part) => part.length > 255)) throw PathInvalid(`${shown(path)}: the path or a name in it is too long`)
  if (parts.some(isReserved)) throw PathInvalid(`${shown(path)}: names with ${unfinished} and ${trash} are reserved`)
  return parts.join('/') + (bytes.endsWith('/') && parts.length > 0 ? '/' : '')
}

/** Reads the two ways in which a request names a path. */
export function pathOf(request: { readonly path?: string; readonly path_b64?: string }): OwnerPath {
  if (request.path_b64 === undefined) return request.path ?? ''
  if (!/^[A-Za-z0-9+/_-]{0,8000}={0,2}$/.test(request.path_b64)) throw PathInvalid('path_b64: not base64')
  return Buffer.from(request.path_b64, 'base64')
}

/** A path as a message shows it: as it was sent, cut where it is long. */
export function shown(path: OwnerPath): string {
  const text = typeof path === 'string' ? path : Buffer.from(path).toString('utf8')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** The name for a reply; one that is not UTF-8 keeps its bytes in `name_b64`. */
export function nameFields(bytes: ByteString): NameFields {
  const buffer = Buffer.from(bytes, 'latin1')
  const name = buffer.toString('utf8')
  return isUtf8(buffer) ? { name } : { name, name_b64: buffer.toString('base64') }
}
