import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { Refusal, type ByteString, type ExtractLimits } from './calls.ts'
import { blockBytes, renderHeader, type TarHeader } from './tar-headers.ts'
import { type TarRules, unreadTarget } from './tar-rules.ts'
import { bytesAt, damaged, readDirectory, type ZipEntry } from './zip-directory.ts'

interface Zip {
  readonly archive: FileHandle
  readonly archiveBytes: number
  readonly limits: Pick<ExtractLimits, 'maxEntries'>
  readonly seen: { readBytes: number }
}

const maxLinkBytes = 4000
const smallBytes = 512 * 1024
const windowBytes = 1024 * 1024

/** Reads a zip archive and converts it to a tar archive of the entries that the rules admit: both kinds are processed alike from there. */
export async function* filterZip(zip: Zip, rules: TarRules): AsyncGenerator<Buffer> {
  const { entries, start } = await readDirectory(zip.archive, zip.archiveBytes, zip.limits.maxEntries)
  let free = 0
  const near = new Window(zip.archive, zip.archiveBytes)
  for (const entry of entries) {
    const dataAt = await startOf(near, entry)
    // Bytes shared by two entries are the way to build a zip bomb.
    if (entry.offset < free || dataAt + entry.packedSize > start)
      throw new Refusal('REFUSED', entry.name, 'entries that overlap')
    free = dataAt + entry.packedSize
    const link = isLink(entry) ? await linkTarget(zip, entry, dataAt) : undefined
    const admitted = rules.admit(headerOf(entry, link))
    if (admitted === undefined) continue
    yield renderHeader(admitted)
    if (admitted.type !== '0') continue
    if (Math.max(entry.size, entry.packedSize) <= smallBytes)
      yield smallContent(zip, entry, await near.bytes(dataAt, entry.packedSize))
    else yield* content(zip, entry, dataAt)
    yield Buffer.alloc((blockBytes - (entry.size % blockBytes)) % blockBytes)
  }
  if (rules.entries === 0) throw new Refusal('REFUSED', undefined, 'it contains no entries')
  yield Buffer.alloc(2 * blockBytes)
}

/** Admits the entries as the directory names them; neither content nor link targets are read. */
export async function admitZip(zip: Zip, rules: TarRules): Promise<void> {
  const { entries, start } = await readDirectory(zip.archive, zip.archiveBytes, zip.limits.maxEntries)
  let free = 0
  for (const entry of entries) {
    const leastEnd = entry.offset + 30 + entry.rawName.length + entry.packedSize
    if (entry.offset < free || leastEnd > start)
      throw new Refusal('REFUSED', entry.name, 'entries that overlap')
    free = leastEnd
    rules.admit(headerOf(entry, unreadTarget))
  }
  if (rules.entries === 0) throw new Refusal('REFUSED', undefined, 'it contains no entries')
}

// The directory and the entry's own header must agree on its name, or two programs would read two different archives.
async function startOf(near: Window, entry: ZipEntry): Promise<number> {
  const head = await near.bytes(entry.offset, 30)
  if (head.readUInt32LE(0) !== 0x04034b50) throw damaged(entry.name)
  const [nameBytes, extraBytes] = [head.readUInt16LE(26), head.readUInt16LE(28)]
  const name = await near.bytes(entry.offset + 30, nameBytes)
  if (name.toString('latin1') !== entry.rawName)
    throw new Refusal('REFUSED', entry.name, 'two names for one entry')
  return entry.offset + 30 + nameBytes + extraBytes
}

/** Reads a file sequentially, many small pieces at a time. */
class Window {
  readonly #file: FileHandle
  readonly #fileBytes: number
  #start = 0
  #held: Buffer = Buffer.alloc(0)

  constructor(file: FileHandle, fileBytes: number) {
    this.#file = file
    this.#fileBytes = fileBytes
  }

  async bytes(start: number, size: number): Promise<Buffer> {
    if (start < this.#start || start + size > this.#start + this.#held.length) {
      this.#held = await bytesAt(
        this.#file,
        start,
        Math.max(size, Math.min(windowBytes, this.#fileBytes - start)),
      )
      this.#start = start
    }
    return this.#held.subarray(start - this.#start, start - this.#start + size)
  }
}

function smallContent({ seen }: Zip, entry: ZipEntry, packed: Buffer): Buffer {
  refuseMethod(entry)
  seen.readBytes += packed.length
  const content = entry.method === 0 ? packed : inflated(entry, packed)
  if (content.length > entry.size) throw new Refusal('REFUSED', entry.name, 'more bytes than declared')
  if (content.length !== entry.size || crc32(content) !== entry.crc)
    throw new Refusal('REFUSED', entry.name, 'the data are damaged')
  return content
}

function inflated(entry: ZipEntry, packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: entry.size + 1 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refusal('REFUSED', entry.name, 'more bytes than declared')
    throw error
  }
}

function refuseMethod({ name, method }: ZipEntry): void {
  if (method === 0 || method === 8) return
  throw new Refusal(
    'REFUSED',
    name,
    `an unsupported compression method: ${methods.get(method) ?? `number ${method}`}`,
  )
}

const methods: ReadonlyMap<number, string> = new Map([
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'zstd'],
  [95, 'xz'],
  [98, 'PPMd'],
])

const kindOf = (entry: ZipEntry): number => entry.mode & 0o170000
const isLink = (entry: ZipEntry): boolean => kindOf(entry) === 0o120000

function headerOf(entry: ZipEntry, link: ByteString | undefined): TarHeader {
  const isFolder = entry.name.endsWith('/')
  if (isFolder && entry.size > 0) throw new Refusal('REFUSED', entry.name, 'a folder with content')
  const types = new Map([
    [0, isFolder ? '5' : '0'],
    [0o100000, '0'],
    [0o040000, '5'],
    [0o120000, '2'],
    [0o010000, entry.size > 0 ? '0' : '6'], // content that zip read from a pipe
  ])
  const type = types.get(kindOf(entry)) ?? '3'
  const mode = entry.mode & 0o7777 || (type === '5' ? 0o755 : 0o644)
  return {
    name: entry.name,
    type,
    size: type === '0' ? entry.size : 0,
    mode,
    mtime: entry.mtime,
    nanos: entry.nanos,
    linkName: link ?? '',
  }
}

async function linkTarget(zip: Zip, entry: ZipEntry, dataAt: number): Promise<ByteString> {
  if (entry.size > maxLinkBytes) throw new Refusal('REFUSED', entry.name, 'a link without a valid target')
  const parts: Buffer[] = []
  for await (const part of content(zip, entry, dataAt)) parts.push(part)
  return Buffer.concat(parts).toString('latin1')
}

async function* content(zip: Zip, entry: ZipEntry, dataAt: number): AsyncGenerator<Buffer> {
  refuseMethod(entry)
  const packed = Readable.from(packedBytes(zip, entry, dataAt), { objectMode: true, highWaterMark: 1 })
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 })
  packed.on('error', (error) => inflate.destroy(error))
  const unpacked = entry.method === 8 ? packed.pipe(inflate) : packed
  let [size, crc] = [0, 0]
  try {
    for await (const part of unpacked) {
      size += part.length
      crc = crc32(part, crc)
      if (size > entry.size) throw new Refusal('REFUSED', entry.name, 'more bytes than declared')
      yield part
    }
  } finally {
    packed.destroy()
    inflate.destroy()
  }
  if (size !== entry.size || crc !== entry.crc)
    throw new Refusal('REFUSED', entry.name, 'the data are damaged')
}

async function* packedBytes({ archive, seen }: Zip, entry: ZipEntry, dataAt: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < entry.packedSize;) {
    const part = await bytesAt(archive, dataAt + done, Math.min(256 * 1024, entry.packedSize - done))
    done += part.length
    seen.readBytes += part.length
    yield part
  }
}
