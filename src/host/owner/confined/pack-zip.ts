import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { about, Refusal, type ByteString } from './calls.ts'
import { isReserved, join, local } from './paths.ts'
import type { CallRun } from './session.ts'
import { ZipWriter, type ZipContent, type ZipHead } from './zip-writer.ts'

/** The content of an archive: names below a folder, and a count of the packed bytes. */
export interface Packing {
  readonly base: ByteString
  readonly names: readonly ByteString[]
  readonly seen: { entries: number; bytes: number }
}

interface Item extends ZipHead {
  readonly path: ByteString
  readonly found: BigIntStats
  readonly size: number
}

interface Doing {
  readonly seen: Packing['seen']
  readonly run: CallRun
}

const tinyBytes = 64
const smallBytes = 256 * 1024
const aheadCount = 8
/** The longest time for which other calls of the helper wait for this one. */
const turnMs = 10
const chunkSize = 256 * 1024
const second = 1_000_000_000n
const withoutFollowing = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const compress: (content: Buffer) => Promise<Buffer> = promisify(deflateRaw)

/** Packs names below a folder as a zip archive. Links are stored as links; pipes, sockets and devices are left out. The next entries are compressed while one is written. */
export async function packZip(
  { base, names, seen }: Packing,
  write: (part: Buffer) => Promise<void>,
  run: CallRun,
): Promise<void> {
  const zip = new ZipWriter(write)
  const ahead: { readonly item: Item; readonly content: Promise<ZipContent | undefined> }[] = []
  const writeFirst = async () => {
    const { item, content } = ahead.shift()!
    await put(zip, item, await content, { seen, run })
    seen.entries++
  }
  let since = performance.now()
  for (const name of names) {
    for (const item of walk(base, name)) {
      if (performance.now() - since > turnMs) {
        await turn()
        since = performance.now()
      }
      if (run.signal.aborted) throw new Refusal('CANCELLED')
      const content = small(item)
      content.catch(() => {}) // the writer receives the error
      ahead.push({ item, content })
      if (ahead.length >= aheadCount) await writeFirst()
    }
  }
  while (ahead.length > 0) await writeFirst()
  await zip.end()
}

// Synchronous: for ten thousand small files this costs a fraction of the thread pool.
function* walk(base: ByteString, name: ByteString): Generator<Item> {
  const path = name === '' ? base : join(base, name)
  const found = trying(path, () => lstatSync(local(path), { bigint: true }))
  const nanos = Number(((found.mtimeNs % second) + second) % second)
  const mtime = Number((found.mtimeNs - BigInt(nanos)) / second)
  const head = { path, found, size: Number(found.size), mode: Number(found.mode), mtime, nanos }
  if (found.isFile() || found.isSymbolicLink()) yield { ...head, name }
  if (!found.isDirectory()) return
  if (name !== '') yield { ...head, name: `${name}/` }
  for (const entry of trying(path, () => readdirSync(local(path), { encoding: 'latin1' }))) {
    if (!isReserved(entry)) yield* walk(base, join(name, entry))
  }
}

/** Returns the content of a file that is small enough for memory; undefined for a large one. */
async function small({ path, found, size }: Item): Promise<ZipContent | undefined> {
  if (found.isDirectory()) return stored(Buffer.alloc(0))
  if (found.isSymbolicLink())
    return stored(trying(path, () => readlinkSync(local(path), { encoding: 'buffer' })))
  if (size > smallBytes) return undefined
  const whole = trying(path, () => readSmall(path, size))
  if (whole.length < tinyBytes) return stored(whole)
  const packed = await compress(whole)
  return packed.length < whole.length
    ? { method: 8, crc: crc32(whole), size: whole.length, packed }
    : stored(whole)
}

function readSmall(path: ByteString, size: number): Buffer {
  const file = openSync(local(path), withoutFollowing)
  try {
    if (!fstatSync(file).isFile()) throw new Refusal('CHANGED', path, 'it was replaced in the meantime')
    const content = Buffer.allocUnsafeSlow(size)
    return content.subarray(0, readSync(file, content, 0, size, 0))
  } finally {
    closeSync(file)
  }
}

function trying<T>(path: ByteString, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return about(path)(error)
  }
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
  await zip.addStream(item, item.size, bytesOf(file, item.size, doing), deflated)
}

// Without following links: an entry created in the meantime is not the one that was examined.
async function openRegular(path: ByteString): Promise<FileHandle> {
  const file = await open(local(path), withoutFollowing).catch(about(path))
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Refusal('CHANGED', path, 'it was replaced in the meantime')
}

// At most the size found at first: a growing log would never end.
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
    yield* raw.pipe(deflate)
  } finally {
    raw.destroy()
    deflate.destroy()
  }
}
