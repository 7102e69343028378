import { change, step } from '../../../core/change.ts'
import { bytes, created, data, list, succeeded, success } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { encode } from '../encoding.ts'
import { listed, own, unresolvable } from '../failures.ts'
import {
  DeleteBody,
  DownloadQuery,
  Entry,
  FileContent,
  FileStat,
  ListQuery,
  MkdirBody,
  PathQuery,
  ReadQuery,
  WriteBody,
  Written,
} from '../model.ts'
import { readContent } from '../content.ts'
import { openDownload } from '../read.ts'
import { belowHome, namesOf, pathOf, pathsOf } from '../paths.ts'
import { byBody, byQuery, homeFiles, hourMs } from './target.ts'
import { written } from './written.ts'
import { fileLock } from '../locks.ts'

export const listFiles = endpoint({
  method: 'GET',
  path: '/list',
  summary: 'List a folder',
  effect: 'reads',
  query: ListQuery,
  reply: list(Entry, { sort: ['name', 'type', 'size_bytes', 'modified_at'], search: ['name'] }),
  throws: listed,
  target: byQuery,
  run: ({ target: { owner }, query }) => {
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
  },
})

export const statFile = endpoint({
  method: 'GET',
  path: '/stat',
  summary: 'Read what is known of a file or folder',
  effect: 'reads',
  query: PathQuery,
  reply: data(FileStat),
  throws: listed,
  target: byQuery,
  run: ({ target: { owner }, query }) => owner.stat(pathOf(query, 'path')),
})

export const readFile = endpoint({
  method: 'GET',
  path: '/read',
  summary: 'Read a part of a file: as text, or as base64 where it is none',
  effect: 'reads',
  query: ReadQuery,
  reply: data(FileContent),
  throws: listed,
  target: byQuery,
  run: ({ target: { owner }, query }) => readContent(owner, pathOf(query, 'path'), query),
})

export const download = endpoint({
  method: 'GET',
  path: '/download',
  summary: 'Download a file, or a folder as an archive',
  description:
    'A file whole or in one range. A folder is packed while it is sent, links as links; a folder that cannot be read to its end breaks the connection off, so that no archive is taken for whole.',
  effect: 'reads',
  query: DownloadQuery,
  reply: bytes('application/octet-stream', 'application/zip', 'application/gzip'),
  throws: unresolvable,
  target: byQuery,
  run: ({ target: { owner }, query, range, ifRange }) =>
    openDownload(owner, pathOf(query, 'path'), { range, ifRange, archive: query.archive }),
})

export const writeFile = endpoint({
  method: 'POST',
  path: '/write',
  summary: 'Write a file as a whole; with if_match only when it is still as it was read',
  effect: 'changes',
  category: homeFiles,
  body: WriteBody,
  bodyBytes: 24 * 1024 * 1024,
  reply: data(Written),
  throws: listed,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager }) => {
    const path = pathOf(body, 'path')
    const { if_match: ifMatch } = body
    const content = encode(body.content, body.encoding)
    return change({
      summary: `Write ${path.path} of ${username}`,
      locks: [fileLock(username, path.path)],
      steps: [
        step(
          filemanager.steps.write,
          { username, path, by: caller.user.id, ...(ifMatch !== undefined && { ifMatch }) },
          content,
        ),
      ],
      reply: ({ results }) => written(path, results[0]),
    })
  },
})

export const makeFolder = endpoint({
  method: 'POST',
  path: '/mkdir',
  summary: 'Make a folder',
  effect: 'changes',
  category: homeFiles,
  body: MkdirBody,
  reply: created(FileStat),
  throws: listed,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const path = pathOf(body, 'path')
    return change({
      summary: `Make the folder ${path.path} of ${username}`,
      steps: [step(filemanager.steps.mkdir, { username, path, recursive: body.recursive })],
      reply: ({ results }) => results[0],
    })
  },
})

export const deleteFiles = endpoint({
  method: 'POST',
  path: '/delete',
  summary: 'Remove files and folders, in order, up to the first that fails',
  effect: 'destroys',
  category: homeFiles,
  body: DeleteBody,
  reply: succeeded,
  throws: own('delete_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const paths = pathsOf(body, 'paths').map(belowHome)
    return change({
      summary: `${body.trash ? 'Throw away' : 'Remove'} ${namesOf(paths)} of ${username}`,
      steps: [step(filemanager.steps.remove, { username, paths, trash: body.trash })],
      reply: success,
    })
  },
})
