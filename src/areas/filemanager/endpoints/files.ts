import { bytes, created, data, list, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { listed, own, unresolvable } from '../failures.ts'
import * as files from '../files.ts'
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
import { pathOf } from '../paths.ts'
import { byQuery, changingFiles, hourMs, readingFiles } from './target.ts'

export const listFiles = readingFiles({
  method: 'GET',
  path: '/list',
  summary: 'List a folder',
  effect: 'reads',
  query: ListQuery,
  reply: list(Entry, { sort: ['name', 'type', 'size_bytes', 'modified_at'], search: ['name'] }),
  run: ({ target, query }) => files.listFiles(target, query),
})

export const statFile = readingFiles({
  method: 'GET',
  path: '/stat',
  summary: 'Read what is known of a file or folder',
  effect: 'reads',
  query: PathQuery,
  reply: data(FileStat),
  run: ({ target: { owner }, query }) => owner.stat(pathOf(query, 'path')),
})

export const readFile = readingFiles({
  method: 'GET',
  path: '/read',
  summary: 'Read a part of a file: as text, or as base64 where it is none',
  effect: 'reads',
  query: ReadQuery,
  reply: data(FileContent),
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

export const writeFile = changingFiles({
  method: 'POST',
  path: '/write',
  summary: 'Write a file as a whole; with if_match only when it is still as it was read',
  effect: 'changes',
  body: WriteBody,
  bodyBytes: 24 * 1024 * 1024,
  reply: data(Written),
  throws: listed,
  run: ({ target, body, caller, filemanager }) =>
    files.writeFile(filemanager, target, { body, by: caller.user.id }),
})

export const makeFolder = changingFiles({
  method: 'POST',
  path: '/mkdir',
  summary: 'Make a folder',
  effect: 'changes',
  body: MkdirBody,
  reply: created(FileStat),
  throws: listed,
  run: ({ target, body, filemanager }) => files.makeFolder(filemanager, target, body),
})

export const deleteFiles = changingFiles({
  method: 'POST',
  path: '/delete',
  summary: 'Remove files and folders, in order, up to the first that fails',
  effect: 'destroys',
  body: DeleteBody,
  reply: succeeded,
  throws: own('delete_failed'),
  timeoutMs: hourMs,
  run: ({ target, body, filemanager }) => files.deleteFiles(filemanager, target, body),
})
