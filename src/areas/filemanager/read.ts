import Type from 'typebox'
import type { Bytes } from '../../core/reply.ts'
import { problem } from '../../core/problem.ts'
import { type Owner, ownerProblems, shown } from '../../host/owner/index.ts'
import type { TextPath } from './paths.ts'

/** Clients that resume a download and already have all bytes take this as its end (RFC 9110, section 15.5.17). */
export const RangeNotSatisfiable = problem(
  'range_not_satisfiable',
  416,
  'The range lies outside of the file',
  { fields: Type.Object({ size_bytes: Type.Integer({ description: 'Size of the file in bytes' }) }) },
)

/** Options of a download. */
interface Wanted {
  readonly range: string | undefined
  /** The etag of the file that the caller has a part of: if it differs, the whole file is sent (RFC 9110, section 13.1.5). */
  readonly ifRange: string | undefined
  /** Archive format for a folder. */
  readonly archive: 'zip' | 'tar.gz' | undefined
}

/** Opens a file for download, completely or in the requested range (RFC 9110, section 14), or a folder as an archive. */
export async function openDownload(
  owner: Owner,
  path: TextPath,
  { range, ifRange, archive }: Wanted,
): Promise<Bytes> {
  const stat = await owner.stat(path)
  const name = path.path
    .toWellFormed()
    .split('/')
    .findLast((part) => part !== '' && part !== '.')
  if (archive !== undefined)
    return openArchive(owner, path, { archive, name: `${name ?? 'home'}.${archive}` })
  if (stat.type === 'folder')
    throw ownerProblems.IsAFolder(
      `${shown(path)} is a folder: archive=zip or archive=tar.gz packs it while it is sent`,
    )
  const header = rangeOf({ range, ifRange }, quoted(stat.etag))
  const wanted =
    header === undefined
      ? undefined
      : parseRange(header, stat.type === 'link' ? await sizeBehind(owner, path) : stat.size_bytes)
  const read = await owner.read(path, wanted ? { start: wanted.start, end: wanted.end + 1 } : {})
  if (wanted && read.stat.etag !== stat.etag) {
    read.stream.destroy()
    throw ownerProblems.FileChanged(`${shown(path)} changed while it was opened: try again`)
  }
  return {
    stream: read.stream,
    mediaType: 'application/octet-stream',
    fileName: name ?? 'file',
    sizeBytes: read.end - read.start,
    etag: quoted(read.stat.etag),
    acceptsRanges: true,
    ...(wanted && { range: { start: read.start, end: read.end - 1, totalBytes: read.stat.size_bytes } }),
  }
}

/** Returns the size of the target of a link. */
async function sizeBehind(owner: Owner, path: TextPath): Promise<number> {
  const { stat, stream } = await owner.read(path, { end: 0 })
  stream.destroy()
  return stat.size_bytes
}

/** Returns the range to use; undefined if `If-Range` names a different version. */
export function rangeOf(
  { range, ifRange }: Pick<Wanted, 'range' | 'ifRange'>,
  etag: string,
): string | undefined {
  return ifRange === undefined || ifRange.trim() === etag ? range : undefined
}

function quoted(etag: string): string {
  return `"${etag.replaceAll('"', '')}"`
}

async function openArchive(
  owner: Owner,
  path: TextPath,
  { archive, name }: { readonly archive: 'zip' | 'tar.gz'; readonly name: string },
): Promise<Bytes> {
  const stream = await owner.archives.download(path, archive)
  return { stream, mediaType: archive === 'zip' ? 'application/zip' : 'application/gzip', fileName: name }
}

/** Parses the single range of a `Range` header; undefined means the whole file, also for unsupported headers (RFC 9110, section 14.1.2). */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  const isSuffix = match[1] === ''
  if (!isSuffix && match[2] !== '' && Number(match[1]) > Number(match[2])) return undefined
  const start = isSuffix ? Math.max(0, sizeBytes - Number(match[2])) : Number(match[1])
  const end = isSuffix || match[2] === '' ? sizeBytes - 1 : Math.min(Number(match[2]), sizeBytes - 1)
  if (start > end)
    throw RangeNotSatisfiable(`Range: ${header} is outside the file of ${sizeBytes} bytes`, {
      fields: { size_bytes: sizeBytes },
    })
  return { start, end }
}
