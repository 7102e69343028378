import { failures } from '../../../core/endpoint.ts'
import { bytes, data, list } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byQuery, changingFiles, readingFiles } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { FileContent, Written } from '../model.ts'
import { pathOf } from '../paths.ts'
import { RangeNotSatisfiable } from '../read.ts'
import { diffVersions } from './diff.ts'
import {
  ClearBody,
  Cleared,
  DiffQuery,
  HistoryAllQuery,
  HistoryQuery,
  RestoreVersionBody,
  Version,
  VersionContentQuery,
  VersionDiff,
  VersionQuery,
} from './model.ts'
import * as versions from './versions.ts'

export const listHistory = readingFiles({
  method: 'GET',
  path: '/history',
  summary: 'List the versions of a file, the last that was replaced first',
  description:
    'A version is what the file held until something in the panel replaced it: by write, upload, restore, or a move or copy onto it. What it holds now is no version.',
  effect: 'reads',
  query: HistoryQuery,
  reply: list(Version, { sort: ['-replaced_at', 'written_at', 'size_bytes'], search: [] }),
  run: ({ target, query, filemanager }) =>
    versions.listVersions(filemanager, target, { query, path: pathOf(query, 'path') }),
})

export const listAllHistory = readingFiles({
  method: 'GET',
  path: '/history/all',
  summary: 'List the versions of all files of a user, also of files that are gone',
  effect: 'reads',
  query: HistoryAllQuery,
  reply: list(Version, { sort: ['-replaced_at', 'path', 'written_at', 'size_bytes'], search: ['path'] }),
  run: ({ target, query, filemanager }) => versions.listVersions(filemanager, target, { query }),
})

export const readVersion = readingFiles({
  method: 'GET',
  path: '/history/content',
  summary: 'Read a part of a version: as text, or as base64 where it is none',
  effect: 'reads',
  query: VersionContentQuery,
  reply: data(FileContent),
  run: ({ target, query, filemanager }) => versions.readVersion(filemanager, target, query),
})

export const downloadVersion = endpoint({
  method: 'GET',
  path: '/history/download',
  summary: 'Download a version',
  effect: 'reads',
  query: VersionQuery,
  reply: bytes('application/octet-stream'),
  throws: failures(listed, { range_not_satisfiable: RangeNotSatisfiable }),
  target: byQuery,
  run: ({ target, query: { id }, filemanager, range, ifRange }) =>
    versions.downloadVersion(filemanager, target, { id, range, ifRange }),
})

export const diffVersion = readingFiles({
  method: 'GET',
  path: '/history/diff',
  summary: 'Compare a version with another, or with the file as it is now',
  effect: 'reads',
  query: DiffQuery,
  reply: data(VersionDiff),
  run: ({ target, query, filemanager: { history } }) => diffVersions(history, target, query),
})

export const restoreVersion = changingFiles({
  method: 'POST',
  path: '/history/restore',
  summary: 'Give a file the content of one of its versions again',
  description:
    'What the file holds until then becomes a version. A file that is gone comes back, with the folders above it.',
  effect: 'changes',
  body: RestoreVersionBody,
  reply: data(Written),
  throws: listed,
  run: ({ target, body, caller, filemanager }) =>
    versions.restoreVersion(filemanager, target, { ...body, by: caller.user.id }),
})

export const clearHistory = changingFiles({
  method: 'POST',
  path: '/history/clear',
  summary: 'Forget the versions of a file or folder, or of all files of a user',
  effect: 'destroys',
  body: ClearBody,
  reply: data(Cleared),
  throws: listed,
  run: ({ target, body, filemanager }) => versions.clearHistory(filemanager, target, body),
})
