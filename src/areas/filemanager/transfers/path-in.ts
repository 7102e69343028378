import type { TextPath } from '../paths.ts'
import type { UploadRow } from './store.ts'

/** Returns the path of an upload with the field that its failures name. */
export function pathIn({ path }: Pick<UploadRow, 'path'>): TextPath {
  return { field: 'path', path: JSON.parse(path) }
}
