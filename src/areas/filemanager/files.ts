import type { Static } from 'typebox'
import { change, step } from '../../core/change.ts'
import { type ListQuery, success } from '../../core/reply.ts'
import type { Filemanager } from './context.ts'
import { encode } from './encoding.ts'
import { written } from './endpoints/written.ts'
import { fileLock } from './locks.ts'
import type * as model from './model.ts'
import type { Files } from './named-files.ts'
import { belowHome, namesOf, pathOf, pathsOf } from './paths.ts'

/** Lists a folder. */
export function listFiles({ owner }: Files, query: Static<typeof model.ListQuery> & ListQuery) {
  const descending = query.sort.startsWith('-')
  const sort = query.sort.replace(/^-/, '') as 'name' | 'type' | 'size_bytes' | 'modified_at'
  const { page, per_page: perPage, show_hidden: showHidden, folders_first: foldersFirst, search } = query
  return owner.list(pathOf(query, 'path', ''), {
    page,
    perPage,
    sort,
    descending,
    showHidden,
    foldersFirst,
    search,
  })
}

/** Writes a file as a whole; with `if_match` only if it is unchanged. */
export function writeFile(
  { steps }: Filemanager,
  { username }: Files,
  { body, by }: { readonly body: model.WriteBody; readonly by: number },
) {
  const path = pathOf(body, 'path')
  const { if_match: ifMatch } = body
  const content = encode(body.content, body.encoding)
  const args = { username, path, by, ...(ifMatch !== undefined && { ifMatch }) }
  return change({
    summary: `Write ${path.path} of ${username}`,
    locks: [fileLock(username, path.path)],
    steps: [step(steps.write, args, content)],
    reply: ({ results }) => written(path, results[0]),
  })
}

/** Makes a folder. */
export function makeFolder(
  { steps }: Filemanager,
  { username }: Files,
  body: Static<typeof model.MkdirBody>,
) {
  const path = pathOf(body, 'path')
  return change({
    summary: `Make the folder ${path.path} of ${username}`,
    steps: [step(steps.mkdir, { username, path, recursive: body.recursive })],
    reply: ({ results }) => results[0],
  })
}

/** Removes files and folders, or moves them to the trash, in order up to the first that fails. */
export function deleteFiles(
  { steps }: Filemanager,
  { username }: Files,
  body: Static<typeof model.DeleteBody>,
) {
  const { trash } = body
  const paths = pathsOf(body, 'paths').map(belowHome)
  return change({
    summary: `${trash ? 'Throw away' : 'Remove'} ${namesOf(paths)} of ${username}`,
    steps: [step(steps.remove, { username, paths, trash })],
    reply: success,
  })
}
