import { pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { Spot } from './store.ts'

/** The place in the history of a path: its bytes, and whose it is. */
export function spotOf({ userId }: Files, path: TextPath): Spot {
  return { ownerId: userId, pathBytes: pathBytes(path).toString('latin1').replace(/\/$/, '') }
}

/** The same with the path for people. */
export function withText(spot: Spot): Spot & { readonly path: string } {
  return { ...spot, path: Buffer.from(spot.pathBytes, 'latin1').toString('utf8') }
}
