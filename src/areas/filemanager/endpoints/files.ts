import { basename } from 'node:path/posix'
import { change, step } from '../../../core/change.ts'
import { upload } from '../../../core/endpoint.ts'
import { BadRequest } from '../../../core/problem.ts'
import { bytes, created, data, list, succeeded, success } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { listed, own, unresolvable } from '../failures.ts'
import {
  DeleteBody,
  Entry,
  FileContent,
  FileStat,
  ListQuery,
  MkdirBody,
  PathQuery,
  ReadQuery,
  UploadFields,
  uploadLimitBytes,
  WriteBody,
  Written,
} from '../model.ts'
import type { FileStat as FileStatValue } from '../../../host/owner/index.ts'
import { openDownload, readContent } from '../read.ts'
import type { WriteResult } from '../steps/files.ts'
import { byBody, byQuery, hourMs } from './asked.ts'

export const listFiles = endpoint({
  method: 'GET',
  path: '/list',
  summary: 'List a folder',
  effect: 'reads',
  query: ListQuery,
  reply: list(Entry, { sort: ['name', 'type', 'size_bytes', 'modified_at'], search: [] }),
  throws: listed,
  target: byQuery,
  run: ({ target: { owner }, query }) => {
    const descending = query.sort.startsWith('-')
    const sort = query.sort.replace(/^-/, '') as 'name' | 'type' | 'size_bytes' | 'modified_at'
    return owner.list(query.path, { page: query.page, perPage: query.per_page, sort, descending, showHidden: query.show_hidden })
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
  run: ({ target: { owner }, query }) => owner.stat(query.path),
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
  run: ({ target: { owner }, query }) => readContent(owner, query),
})

export const download = endpoint({
  method: 'GET',
  path: '/download',
  summary: 'Download a file',
  effect: 'reads',
  query: PathQuery,
  reply: bytes('application/octet-stream'),
  throws: unresolvable,
  target: byQuery,
  run: ({ target: { owner }, query, range }) => openDownload(owner, query.path, range),
})

export const writeFile = endpoint({
  method: 'POST',
  path: '/write',
  summary: 'Write a file as a whole; with if_match only when it is still as it was read',
  effect: 'changes',
  action: 'file_written',
  body: WriteBody,
  bodyBytes: 24 * 1024 * 1024,
  reply: data(Written),
  throws: listed,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const { path, if_match: ifMatch } = body
    const content = Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8')
    return change({
      summary: `Write ${path} of ${username}`,
      locks: [`file:${username}:${path}`],
      steps: [step(filemanager.steps.write, { username, path, ...(ifMatch !== undefined && { ifMatch }) }, content)],
      reply: ({ results }) => written(path, results[0]),
    })
  },
})

export const makeFolder = endpoint({
  method: 'POST',
  path: '/mkdir',
  summary: 'Make a folder',
  effect: 'changes',
  action: 'folder_created',
  body: MkdirBody,
  reply: created(FileStat),
  throws: listed,
  target: byBody,
  run: ({ target: { username }, body: { path, recursive }, filemanager }) =>
    change({
      summary: `Make the folder ${path} of ${username}`,
      steps: [step(filemanager.steps.mkdir, { username, path, recursive })],
      reply: ({ results }) => results[0] as FileStatValue,
    }),
})

export const uploadFile = endpoint({
  method: 'POST',
  path: '/upload',
  summary: 'Upload a file into a folder',
  description: 'multipart/form-data with the fields before the file, or the bytes alone with the fields in the query and the name as `name`.',
  effect: 'changes',
  action: 'file_uploaded',
  body: upload(UploadFields, { maxBytes: uploadLimitBytes }),
  reply: created(Written),
  throws: listed,
  timeoutMs: 6 * hourMs,
  target: ({ body, caller, filemanager }) => filemanager.whose(body.fields, caller),
  run: ({ target: { username }, body, filemanager }) => {
    const { fields } = body
    const path = `${fields.path.replace(/\/+$/, '')}/${uploadName(fields.name ?? body.fileName)}`.replace(/^\//, '')
    const args = { username, path, ...(fields.if_match !== undefined && { ifMatch: fields.if_match }), ...(!fields.overwrite && { ifAbsent: true }) }
    return change({
      summary: `Upload ${path} of ${username}`,
      steps: [step(filemanager.steps.write, args, body.stream)],
      reply: ({ results }) => written(path, results[0]),
    })
  },
})

export const deleteFiles = endpoint({
  method: 'POST',
  path: '/delete',
  summary: 'Remove files and folders, in order, up to the first that fails',
  effect: 'destroys',
  action: 'files_deleted',
  body: DeleteBody,
  reply: succeeded,
  throws: own('delete_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body: { paths, trash }, filemanager }) =>
    change({
      summary: `${trash ? 'Throw away' : 'Remove'} ${paths.length === 1 ? paths[0] : `${paths.length} paths`} of ${username}`,
      steps: [step(filemanager.steps.remove, { username, paths, trash })],
      reply: success,
    }),
})

function written(path: string, result: unknown) {
  const { etag, size, created: isNew } = result as WriteResult
  return { path, etag, size_bytes: size, created: isNew }
}

/** A browser may send a whole path as the name: only its last part counts. */
function uploadName(given: string | undefined): string {
  const name = basename((given ?? '').replaceAll('\\', '/'))
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) throw BadRequest('name: is required, as the file came without one')
  return name
}
