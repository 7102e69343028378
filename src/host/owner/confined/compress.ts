import { isUtf8 } from 'node:buffer'
import { createWriteStream } from 'node:fs'
import { link, lstat, mkdir, open, stat } from 'node:fs/promises'
import {
  about,
  failureOf,
  Refusal,
  type ArchiveFormat,
  type ByteString,
  type CompressCall,
  type ExtractNote,
} from './calls.ts'
import { headerBytes } from './frames.ts'
import { Gather } from './gather.ts'
import { packSevenZip } from './pack-seven-zip.ts'
import { packTar } from './pack-tar.ts'
import { packZip } from './pack-zip.ts'
import { join, local, parentOf, unfinishedName, workingFolder } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import { removeLeftover } from './list.ts'
import type { CallRun } from './session.ts'
import { runTool } from './tool.ts'

/** The last number that is appended to a name that is taken. */
export const maxSuffix = 9999

/** Packs paths into an archive that appears at the top of the home when it is complete, under the first free name. */
export async function compressPaths(
  call: CompressCall,
  run: CallRun,
): Promise<{ suffix: number; bytes: number }> {
  const paths = await presentOf(call)
  const scratch = unfinishedName()
  const packed = join(scratch, 'archive')
  const seen: Seen = { entries: 0, bytes: 0, packedBytes: 0, totalBytes: 0 }
  const look = setInterval(() => void lookAt(packed, seen), 500)
  const stop = noting(run, () => noteOf(seen))
  try {
    await mkdir(local(scratch), { mode: 0o700 })
    void measure(paths, seen, run)
    const base = baseOf(paths)
    const packing = {
      base,
      names: paths.map((path) => path.slice(base === '' ? 0 : base.length + 1)),
      packed,
      seen,
    }
    await packAs(call.format, packing, run).catch(unreadable)
    await sync(packed)
    return { suffix: await place(packed, call.archive), bytes: (await lstat(local(packed))).size }
  } finally {
    clearInterval(look)
    stop()
    await removeLeftover(scratch)
  }
}

/** Returns the paths to pack: a path that is given twice, or is below another one, is packed once. Refuses a missing path, and one that is not a file, folder or link. */
export async function presentOf({ paths }: CompressCall): Promise<readonly ByteString[]> {
  const kept: { readonly path: ByteString; readonly isLink: boolean }[] = []
  for (const path of [...new Set(paths.map(bare))].toSorted(byParts)) {
    const found = await lstat(local(path)).catch(about(path))
    if (!found.isDirectory() && !found.isFile() && !found.isSymbolicLink())
      throw new Refusal('NOTREGULAR', path)
    const last = kept.at(-1)
    if (last === undefined || !isBelow(path, last.path)) kept.push({ path, isLink: found.isSymbolicLink() })
    else if (last.isLink) throw new Refusal('EINVAL', path, 'it is below a link that is itself packed')
  }
  return kept.map(({ path }) => path)
}

// The slash sorts first, so that everything below a path follows it directly.
function byParts(left: ByteString, right: ByteString): number {
  const [a, b] = [left.replaceAll('/', '\0'), right.replaceAll('/', '\0')]
  return a < b ? -1 : a > b ? 1 : 0
}

function isBelow(path: ByteString, folder: ByteString): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** Adds to an access failure that the path cannot be read. */
export function unreadable(error: unknown): never {
  const { code, path } = failureOf(error)
  throw code === 'EACCES' && path !== undefined ? new Refusal(code, path, 'it cannot be read') : error
}

interface Seen {
  entries: number
  /** Bytes of content that were packed. */
  bytes: number
  packedBytes: number
  /** Bytes of content in total; 0 until they have been counted. */
  totalBytes: number
}
interface Packing {
  readonly base: ByteString
  readonly names: readonly ByteString[]
  readonly packed: ByteString
  readonly seen: Seen
}

function noteOf({ entries, bytes, packedBytes, totalBytes }: Seen): ExtractNote {
  return {
    entries,
    bytes: packedBytes,
    readBytes: totalBytes === 0 ? 0 : Math.min(Math.round(bytes), totalBytes),
    archiveBytes: totalBytes,
  }
}

async function lookAt(packed: ByteString, seen: Seen): Promise<void> {
  seen.packedBytes = await stat(local(packed)).then(
    ({ size }) => size,
    () => 0, // not created yet
  )
}

// Only the percentage depends on this: if the size cannot be determined, progress has none.
async function measure(paths: readonly ByteString[], seen: Seen, run: CallRun): Promise<void> {
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1')
  let last = ''
  const onOutput = (part: Buffer) => {
    last = (last + part.toString('latin1')).slice(-40)
  }
  await runTool(
    'du',
    ['--bytes', '--summarize', '--total', '--files0-from=-'],
    { input, onOutput },
    run,
  ).catch(() => {})
  seen.totalBytes = Number(/(\d+)\ttotal\n$/.exec(last)?.[1] ?? 0)
}

/** Returns the folder that contains all paths: names in the archive are relative to it. A folder whose name is not UTF-8 cannot be a working directory; then it is the home. */
function baseOf(paths: readonly ByteString[]): ByteString {
  const [first = '', ...rest] = paths.map(parentOf)
  let base = first
  while (base !== '' && !rest.every((folder) => folder === base || folder.startsWith(`${base}/`)))
    base = parentOf(base)
  return isUtf8(Buffer.from(base, 'latin1')) ? base : ''
}

function packAs(format: ArchiveFormat, packing: Packing, run: CallRun): Promise<void> {
  if (format === 'zip') return packZipFile(packing, run)
  const { base, names, packed, seen } = packing
  if (format === '7z') return packSevenZip({ base, names, seen }, { packed, cwd: workingFolder(base) }, run)
  return packTar(
    { base, names, format, seen, shrinks: true },
    createWriteStream(local(packed), { flags: 'wx', mode: 0o600 }),
    run,
  )
}

async function packZipFile({ names, packed, base, seen }: Packing, run: CallRun): Promise<void> {
  await using file = await open(local(packed), 'wx', 0o600)
  const gather = new Gather(async (framed, size) => {
    for (let done = 0; done < size;)
      done += (await file.write(framed, headerBytes + done, size - done)).bytesWritten
  })
  await packZip({ base, names, seen }, (part) => gather.write(part), run)
  await gather.flush()
}

async function sync(path: ByteString): Promise<void> {
  await using file = await open(local(path), 'r')
  await file.chmod(0o644)
  await file.sync()
}

// link() fails if the name exists, unlike rename(): a file that appeared in the meantime is never replaced.
async function place(packed: ByteString, archive: ByteString): Promise<number> {
  for (let suffix = 0; suffix <= maxSuffix; suffix++) {
    try {
      await link(local(packed), local(suffix === 0 ? archive : `${archive}.${suffix}`))
      return suffix
    } catch (error) {
      if (failureOf(error).code !== 'EEXIST') return about(archive)(error)
    }
  }
  throw new Refusal('EEXIST', archive, `its names up to .${maxSuffix} are taken, too`)
}
