import type { Static } from 'typebox'
import { BadRequest } from '../../core/problem.ts'
import type { Caller } from '../../core/caller.ts'
import { archiveEndings, formatOf, pathBytes, visible } from '../../host/owner/index.ts'
import type { CompressBody, CompressJobBody, ExtractBody, PathQuery } from './model.ts'
import type { Files } from './named-files.ts'
import { pathOf, pathsOf } from './paths.ts'

/** Names the files to pack and the archive in the top of the home. */
export function filesToPack({ username }: Files, body: Static<typeof CompressBody>) {
  const paths = pathsOf(body, 'paths')
  const archive = body.archive_name
  if (formatOf(archive) === undefined)
    throw BadRequest(`archive_name: ${visible(archive)} must end in ${archiveEndings.join(', ')}`)
  pathBytes({ field: 'archive_name', path: archive }) // refuses names reserved for the panel
  return { username, paths, archive }
}

/** As `filesToPack`, and the folder for the archive if one is named. */
export function filesToPackInto(files: Files, body: Static<typeof CompressJobBody>) {
  const folder = pathOf(body, 'dst_path', '')
  return { ...filesToPack(files, body), ...(folder.path !== '' && { folder }) }
}

/** Lists the entries of an archive. */
export async function listArchive({ owner }: Files, query: Static<typeof PathQuery>, signal: AbortSignal) {
  const { items, total, sizeBytes, cutBy } = await owner.archives.entries(pathOf(query, 'path'), { signal })
  return { items: [...items], total, size_bytes: sizeBytes, ...(cutBy !== undefined && { cut_by: cutBy }) }
}

/** Names the archive to unpack and the folder. */
export function archiveToUnpack({ username }: Files, body: Static<typeof ExtractBody>, caller: Caller) {
  return {
    username,
    archive: pathOf(body, 'archive_path'),
    dest: pathOf(body, 'dst_path'),
    by: caller.user.id,
  }
}
