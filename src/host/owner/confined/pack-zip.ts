import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, readlink, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { about, Refusal, type ByteString } from './calls.ts'
import { isReserved, join, local } from './paths.ts'
import type { CallRun } from './session.ts'
import { ZipWriter, type ZipContent, type ZipHead } from './zip-writer.ts'

/** What goes into an archive: names below a folder, and a count of what is done. */
export interface Packing {
  readonly base: ByteString
  readonly names: readonly ByteString[]
  readonly seen: { entries: number; bytes: number }
}

interface Item extends ZipHead {
  readonly path: ByteString
  readonly found: Stats
}

interface Doing {
  readonly seen: Packing['seen']
  readonly run: CallRun
}

const tinyBytes = 64
const smallBytes = 256 * 1024
const aheadCount = 8
const chunkSize = 256 * 1024
const compress = promisify(deflateRaw) as (content: Buffer) => Promise<Buffer>

/** Packs names below a folder as a zip archive. Links go in as links; pipes, sockets and devices are left out. While one entry is written the next are compressed. */
export async function packZip({ base, names, seen }: Packing, write: (part: Buffer) => Promise<void>, run: CallRun): Promise<void> {
  const zip = new ZipWriter(write)
  const ahead: { readonly item: Item; readonly content: Promise<ZipContent | undefined> }[] = []
  const writeFirst = async () => {
    const { item, content } = ahead.shift()!
    await put(zip, item, await content, { seen, run })
    seen.entries++
  }
  for (const name of names) {
    for await (const item of walk(base, name)) {
      if (run.signal.aborted) throw new Refusal('CANCELLED')
      const content = small(item)
      content.catch(() => {}) // whoever writes it hears of it
      ahead.push({ item, content })
      if (ahead.length >= aheadCount) await writeFirst()
    }
  }
  while (ahead.length > 0) await writeFirst()
  await zip.end()
}

async function* walk(base: ByteString, name: ByteString): AsyncGenerator<Item> {
  const path = name === '' ? base : join(base, name)
  const found = await lstat(local(path)).catch(about(path))
  const head = { path, found, mode: found.mode, mtime: Math.floor(found.mtimeMs / 1000) }
  if (found.isFile() || found.isSymbolicLink()) yield { ...head, name }
  if (!found.isDirectory()) return
  if (name !== '') yield { ...head, name: `${name}/` }
  for (const entry of await readdir(local(path), { encoding: 'latin1' }).catch(about(path))) {
    if (!isReserved(entry)) yield* walk(base, join(name, entry))
  }
}

/** The content of what is small enough to be held; nothing for a large file. */
async function small({ path, found }: Item): Promise<ZipContent | undefined> {
  if (found.isDirectory()) return { method: 0, crc: 0, size: 0, packed: Buffer.alloc(0) }
  if (found.isSymbolicLink()) {
    const target = await readlink(local(path), { encoding: 'buffer' }).catch(about(path))
    return stored(target)
  }
  if (found.size > smallBytes) return undefined
  await using file = await openRegular(path)
  const content = Buffer.allocUnsafeSlow(found.size)
  const { bytesRead } = await file.read(content, 0, found.size, 0)
  const whole = content.subarray(0, bytesRead)
  if (whole.length < tinyBytes) return stored(whole)
  const packed = await compress(whole)
  return packed.length < whole.length ? { method: 8, crc: crc32(whole), size: whole.length, packed } : stored(whole)
}

function stored(content: Buffer): ZipContent {
  return { method: 0, crc: crc32(content), size: content.length, packed: content }
}

async function put(zip: ZipWriter, item: Item, content: ZipContent | undefined, doing: Doing): Promise<void> {
  if (content !== undefined) {
    doing.seen.bytes += content.size
    return zip.add(item, content)
  }
  await using file = await openRegular(item.path)
  await zip.addStream(item, item.found.size, bytesOf(file, item.found.size, doing), deflated)
}

// Without following: what was put there meanwhile is not what was looked at.
async function openRegular(path: ByteString): Promise<FileHandle> {
  const file = await open(local(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY).catch(about(path))
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Refusal('CHANGED', path, 'something else was put in its place')
}

// At most as much as there was at first: a log that grows would have no end.
async function* bytesOf(file: FileHandle, size: number, { seen, run }: Doing): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    const part = Buffer.allocUnsafeSlow(Math.min(chunkSize, size - at))
    const { bytesRead } = await file.read(part, 0, part.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    seen.bytes += bytesRead
    yield part.subarray(0, bytesRead)
  }
}

async function* deflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const raw = Readable.from(source, { objectMode: true, highWaterMark: 2 })
  const deflate = createDeflateRaw({ chunkSize })
  raw.on('error', (error) => deflate.destroy(error))
  try {
    yield* raw.pipe(deflate) as AsyncIterable<Buffer>
  } finally {
    raw.destroy()
    deflate.destroy()
  }
}
