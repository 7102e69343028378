import Type from 'typebox'
import { BadRequest } from '../../core/problem.ts'
import { Prose, Text } from '../../core/schemas.ts'
import { type NamedPath, pathBytes, textOf } from '../../host/owner/index.ts'

/** A path of a request in the input of stored work, with its field. */
export const StoredPath = Type.Object({ field: Text(40), path: Prose(4096) })

type Asked<Field extends string, Value> = { readonly [Name in Field | `${Field}_b64`]?: Value }

/**
 * Reads the path in `<field>` or `<field>_b64` of a request and keeps the field, so that failures name both. Exactly one of the two is required,
 * unless `fallback` is given for neither. The resulting `path` is text that can represent any bytes and can be stored; an invalid path is 400.
 */
export function pathOf<Field extends string>(
  asked: Asked<Field, string>,
  field: Field,
  fallback?: string,
): TextPath {
  const text = asked[field]
  const bytes = asked[`${field}_b64`]
  refuseBoth(field, text, bytes)
  if (bytes !== undefined) return checked(`${field}_b64`, decoded(`${field}_b64`, bytes))
  const given = text ?? fallback
  if (given === undefined) throw BadRequest(`${field}: is required, as text or as ${field}_b64`)
  return checked(field, given)
}

/** Reads the paths of a request that names many. */
export function pathsOf<Field extends string>(
  asked: Asked<Field, readonly string[]>,
  field: Field,
): readonly TextPath[] {
  const texts = asked[field]
  const bytes = asked[`${field}_b64`]
  refuseBoth(field, texts, bytes)
  if (bytes !== undefined) return bytes.map((one) => checked(`${field}_b64`, decoded(`${field}_b64`, one)))
  if (texts === undefined) throw BadRequest(`${field}: is required, as text or as ${field}_b64`)
  return texts.map((one) => checked(field, one))
}

/** Throws for the home itself, where the action would affect all files. */
export function belowHome(path: TextPath): TextPath {
  if (pathBytes(path).length === 0)
    throw BadRequest(`${path.field}: must be a path in the home, not the home itself`)
  return path
}

/** A path as text with the request field that named it: plain JSON, because the steps of a change are stored. */
export interface TextPath extends NamedPath {
  readonly path: string
}

/** Reads a new name from `<field>` or `<field>_b64`: one component of a path. */
export function nameOf<Field extends string>(asked: Asked<Field, string>, field: Field): TextPath {
  const name = pathOf(asked, field)
  if (name.path === '' || name.path === '.' || name.path === '..' || name.path.includes('/'))
    throw BadRequest(`${name.field}: must be a file name without /`)
  return name
}

/** Returns the path of a name in a folder. */
export function childOf(folder: TextPath, name: TextPath): TextPath {
  const top = folder.path.replace(/\/+$/, '')
  return { field: folder.field, path: top === '' ? name.path : `${top}/${name.path}` }
}

/** Returns the path of another name in the same folder. */
export function siblingOf(path: TextPath, name: TextPath): TextPath {
  return {
    field: name.field,
    path: [...path.path.replace(/\/+$/, '').split('/').slice(0, -1), name.path].join('/'),
  }
}

/** Names paths in a sentence: a single path by name, several by their number. */
export function namesOf(paths: readonly TextPath[]): string {
  return paths.length === 1 ? (paths[0]?.path ?? '') : `${paths.length} paths`
}

/** Shows a path in a reply: as text, and also as bytes if it is not UTF-8. */
export function pathFields(path: string): { readonly path: string; readonly path_b64?: string } {
  if (path.isWellFormed()) return { path }
  const bytes = pathBytes(path)
  return { path: bytes.toString('utf8'), path_b64: bytes.toString('base64') }
}

function refuseBoth(field: string, text: unknown, bytes: unknown): void {
  // an empty string is the default of an optional field
  if (text !== undefined && text !== '' && bytes !== undefined)
    throw BadRequest(`${field}: must not be combined with ${field}_b64`)
}

function decoded(field: string, base64: string): string {
  const digits = base64.replace(/=+$/, '')
  if (digits.length % 4 === 1) throw BadRequest(`${field}: must be base64`)
  return textOf(Buffer.from(digits, 'base64'))
}

// Rejects lone surrogates in text: other bytes are sent as base64.
function checked(field: string, path: string): TextPath {
  if (!field.endsWith('_b64') && !path.isWellFormed())
    throw BadRequest(`${field}: must be valid text; other bytes are sent as ${field}_b64`)
  pathBytes({ field, path })
  return { field, path }
}
