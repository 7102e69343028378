import type { TextPath } from '../paths.ts'
import type { UploadRow } from './store.ts'

/** The path of an upload, as its failures name it. */
export function pathIn({ path }: Pick<UploadRow, 'path'>): TextPath {
  return { field: 'path', path: JSON.parse(path) }
}
