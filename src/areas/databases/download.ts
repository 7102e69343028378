import type { Bytes } from '../../core/reply.ts'
import type { Databases } from './context.ts'
import { homeOf, pathOfDump, regularFile } from './homes.ts'
import type { DatabaseRow } from './store.ts'

/** Opens a file in the folder for dumps of the owner of a database. */
export async function openDump(on: Databases, row: DatabaseRow, file: string): Promise<Bytes> {
  const home = await homeOf(on, row)
  const path = pathOfDump(home, file)
  await regularFile(home.owner, path)
  const { stream, start, end } = await home.owner.read({ field: 'file', path })
  return {
    stream,
    mediaType: path.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream',
    fileName: path.slice(path.lastIndexOf('/') + 1),
    sizeBytes: end - start,
  }
}
