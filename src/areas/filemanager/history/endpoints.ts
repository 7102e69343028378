import { failures } from '../../../core/endpoint.ts'
import { Readable } from 'node:stream'
import { change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { bytes, data, list } from '../../../core/reply.ts'
import { contentOf } from '../content.ts'
import { endpoint } from '../context.ts'
import { byBody, byQuery, homeFiles } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { FileContent, Written } from '../model.ts'
import { pathFields, pathOf } from '../paths.ts'
import { parseRange, RangeNotSatisfiable, rangeOf } from '../read.ts'
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
import { rowPath } from './show.ts'
import { fileLock } from '../locks.ts'

export const listHistory = endpoint({
  method: 'GET',
  path: '/history',
  summary: 'List the versions of a file, the last that was replaced first',
  description:
    'A version is what the file held until something in the panel replaced it: by write, upload, restore, or a move or copy onto it. What it holds now is no version.',
  effect: 'reads',
  query: HistoryQuery,
  reply: list(Version, { sort: ['-replaced_at', 'written_at', 'size_bytes'], search: [] }),
  throws: listed,
  target: byQuery,
  run: ({ target, query, filemanager }) => filemanager.versions(target, query, pathOf(query, 'path')),
})

export const listAllHistory = endpoint({
  method: 'GET',
  path: '/history/all',
  summary: 'List the versions of all files of a user, also of files that are gone',
  effect: 'reads',
  query: HistoryAllQuery,
  reply: list(Version, { sort: ['-replaced_at', 'path', 'written_at', 'size_bytes'], search: ['path'] }),
  throws: listed,
  target: byQuery,
  run: ({ target, query, filemanager }) => filemanager.versions(target, query),
})

export const readVersion = endpoint({
  method: 'GET',
  path: '/history/content',
  summary: 'Read a part of a version: as text, or as base64 where it is none',
  effect: 'reads',
  query: VersionContentQuery,
  reply: data(FileContent),
  throws: listed,
  target: byQuery,
  run: async ({ target, query, filemanager }) => {
    const row = await filemanager.history.version(target, query.id)
    return { ...contentOf(await filemanager.history.contentOf(row), query), etag: row.sha256 ?? '' }
  },
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
  run: async ({ target, query, filemanager, range, ifRange }) => {
    const row = await filemanager.history.version(target, query.id)
    const whole = await filemanager.history.contentOf(row)
    const wanted = parseRange(rangeOf({ range, ifRange }, `"${row.sha256}"`), whole.length)
    const content = wanted === undefined ? whole : whole.subarray(wanted.start, wanted.end + 1)
    return {
      stream: Readable.from(content.length === 0 ? [] : [content], { objectMode: false }),
      mediaType: 'application/octet-stream',
      fileName: row.path.split('/').at(-1) ?? 'file',
      sizeBytes: content.length,
      etag: `"${row.sha256}"`,
      acceptsRanges: true,
      ...(wanted && { range: { ...wanted, totalBytes: whole.length } }),
    }
  },
})

export const diffVersion = endpoint({
  method: 'GET',
  path: '/history/diff',
  summary: 'Compare a version with another, or with the file as it is now',
  effect: 'reads',
  query: DiffQuery,
  reply: data(VersionDiff),
  throws: listed,
  target: byQuery,
  run: ({ target, query, filemanager }) => filemanager.diff(target, query),
})

export const restoreVersion = endpoint({
  method: 'POST',
  path: '/history/restore',
  summary: 'Give a file the content of one of its versions again',
  description:
    'What the file holds until then becomes a version. A file that is gone comes back, with the folders above it.',
  effect: 'changes',
  category: homeFiles,
  body: RestoreVersionBody,
  reply: data(Written),
  throws: listed,
  target: byBody,
  run: async ({ target, body, caller, filemanager }) => {
    const { username } = target
    const row = await filemanager.history.version(target, body.id)
    const path = rowPath(row)
    const args = {
      username,
      path,
      id: row.id,
      by: caller.user.id,
      ...(body.if_match !== undefined && { ifMatch: body.if_match }),
    }
    return change({
      summary: `Restore ${row.path} of ${username} as it was until ${row.replaced_at}`,
      locks: [fileLock(username, path.path)],
      steps: [step(filemanager.steps.restoreVersion, args)],
      reply: ({ results }) => {
        const { etag, size, created } = results[0]
        return { ...pathFields(path.path), etag, size_bytes: size, created }
      },
    })
  },
})

export const clearHistory = endpoint({
  method: 'POST',
  path: '/history/clear',
  summary: 'Forget the versions of a file or folder, or of all files of a user',
  effect: 'destroys',
  category: homeFiles,
  body: ClearBody,
  reply: data(Cleared),
  throws: listed,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const isNamed = body.path !== undefined || body.path_b64 !== undefined
    if (body.all && isNamed) throw BadRequest('all: must not be combined with a path')
    const path = body.all ? null : pathOf(body, 'path')
    if (path !== null && /^\/*$/.test(path.path))
      throw BadRequest('path: is the home itself; all clears the whole history')
    return change({
      summary: `Forget the history of ${path === null ? 'all files' : path.path} of ${username}`,
      steps: [step(filemanager.steps.clearHistory, { username, path })],
      reply: ({ results }) => {
        const { versions, freedBytes: freed_bytes } = results[0]
        return { versions, freed_bytes }
      },
    })
  },
})
