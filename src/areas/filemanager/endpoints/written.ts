import { pathFields, type TextPath } from '../paths.ts'
import type { WriteResult } from '../steps/files.ts'

/** How a reply tells of a file that was written. */
export function written({ path }: TextPath, { etag, size, created }: WriteResult) {
  return { ...pathFields(path), etag, size_bytes: size, created }
}
