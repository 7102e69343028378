import { pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import type { PathKey } from './store.ts'

/** Identifies the history of a path by its bytes and the id of its owner. */
export function pathKeyOf({ userId }: Files, path: TextPath): PathKey {
  return { ownerId: userId, pathBytes: pathBytes(path).toString('latin1').replace(/\/$/, '') }
}

/** A path key with the path as text for display. */
export function withText(key: PathKey): PathKey & { readonly path: string } {
  return { ...key, path: Buffer.from(key.pathBytes, 'latin1').toString('utf8') }
}
