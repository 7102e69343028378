import type { Static } from 'typebox'
import { Readable } from 'node:stream'
import { type Change, change, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { Bytes, ListQuery, Page } from '../../../core/reply.ts'
import { pathBytes } from '../../../host/owner/index.ts'
import { contentOf } from '../content.ts'
import type { Filemanager } from '../context.ts'
import { written } from '../endpoints/written.ts'
import { fileLock } from '../locks.ts'
import type { Files } from '../named-files.ts'
import { pathOf, type TextPath } from '../paths.ts'
import { parseRange, rangeOf } from '../read.ts'
import { forgetSites } from './forget-removed.ts'
import type * as model from './model.ts'
import { rowPath, showVersions } from './show.ts'

/** Lists the versions of one file, or of all files of a hosting user. */
export async function listVersions(
  { versions, users }: Filemanager,
  { userId }: Files,
  { query, path }: { readonly query: ListQuery; readonly path?: TextPath },
): Promise<Page<model.Version>> {
  const bytes = path === undefined ? undefined : pathBytes(path).toString('latin1').replace(/\/$/, '')
  const { items, total } = await versions.page(query, userId, bytes)
  return { items: await showVersions(items, users), total }
}

/** Reads a part of a version. */
export async function readVersion(
  { history }: Filemanager,
  files: Files,
  query: Static<typeof model.VersionContentQuery>,
) {
  const row = await history.version(files, query.id)
  return { ...contentOf(await history.contentOf(row), query), etag: row.sha256 ?? '' }
}

interface Wanted {
  readonly id: number
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

/** Opens a version for download, completely or in the requested range. */
export async function downloadVersion(
  { history }: Filemanager,
  files: Files,
  { id, range, ifRange }: Wanted,
): Promise<Bytes> {
  const row = await history.version(files, id)
  const whole = await history.contentOf(row)
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
}

/** Gives a file the content of one of its versions again. */
export async function restoreVersion(
  { history, steps }: Filemanager,
  files: Files,
  { id, if_match: ifMatch, by }: Static<typeof model.RestoreVersionBody> & { readonly by: number },
) {
  const { username } = files
  const row = await history.version(files, id)
  const path = rowPath(row)
  const args = { username, path, id: row.id, by, ...(ifMatch !== undefined && { ifMatch }) }
  return change({
    summary: `Restore ${row.path} of ${username} as it was until ${row.replaced_at}`,
    locks: [fileLock(username, path.path)],
    steps: [step(steps.restoreVersion, args)],
    reply: ({ results }) => written(path, results[0]),
  })
}

/** Deletes the versions of a file or folder, or of all files of a hosting user. */
export function clearHistory(
  { steps }: Filemanager,
  { username }: Files,
  body: Static<typeof model.ClearBody>,
): Change<Static<typeof model.Cleared>> {
  const isNamed = body.path !== undefined || body.path_b64 !== undefined
  if (body.all && isNamed) throw BadRequest('all: must not be combined with a path')
  const path = body.all ? null : pathOf(body, 'path')
  if (path !== null && /^\/*$/.test(path.path))
    throw BadRequest('path: is the home itself; all clears the whole history')
  return change({
    summary: `Forget the history of ${path === null ? 'all files' : path.path} of ${username}`,
    steps: [step(steps.clearHistory, { username, path })],
    reply: ({ results }) => {
      const { versions, freedBytes: freed_bytes } = results[0]
      return { versions, freed_bytes }
    },
  })
}

/** Deletes versions that are too old or whose owner no longer exists. */
export async function tidyHistory(on: Filemanager): Promise<{ readonly removed: number }> {
  const now = on.store.trustedNow()
  await forgetSites(on)
  return on.history.versionQuota.tidy(now)
}
