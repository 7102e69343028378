import { pathFields, type TextPath } from '../paths.ts'
import type { WriteResult } from '../steps/files.ts'

/** Shows a written file in a reply. */
export function written({ path }: TextPath, { etag, size, created }: WriteResult) {
  return { ...pathFields(path), etag, size_bytes: size, created }
}
