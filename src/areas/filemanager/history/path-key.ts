import { pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { PathKey } from './store.ts'

/** The place in the history of a path: its bytes, and whose it is. */
export function pathKeyOf({ userId }: Files, path: TextPath): PathKey {
  return { ownerId: userId, pathBytes: pathBytes(path).toString('latin1').replace(/\/$/, '') }
}

/** The same with the path for people. */
export function withText(key: PathKey): PathKey & { readonly path: string } {
  return { ...key, path: Buffer.from(key.pathBytes, 'latin1').toString('utf8') }
}
