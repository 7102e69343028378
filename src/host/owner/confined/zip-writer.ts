import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { ByteString } from './calls.ts'
import { dosTime, fineTimeField, timeField } from './zip-times.ts'

/** The attributes of an entry, before its content. */
export interface ZipHead {
  /** Ends in / for a folder. */
  readonly name: ByteString
  /** As from lstat. */
  readonly mode: number
  /** Seconds since 1970, negative before it. */
  readonly mtime: number
  /** Nanoseconds, added to the seconds. */
  readonly nanos: number
}

/** Content that is complete in memory, compressed or stored. */
export interface ZipContent {
  readonly method: 0 | 8
  readonly crc: number
  readonly size: number
  readonly packed: Buffer
}

interface Written {
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly size: number
  readonly packedSize: number
}

const wide = 0xffffffff
/** From this size, sizes of content of unknown length are written with eight bytes. */
const wideFrom = 0xf0000000

/** Writes a zip archive sequentially, without seeking (APPNOTE 6.3): UTF-8 names are flagged as such, the sizes of large entries follow their content. */
export class ZipWriter {
  readonly #write: (part: Buffer) => Promise<void>
  readonly #directory: Buffer[] = []
  #latest: Buffer[] = []
  #entries = 0
  #offset = 0

  constructor(write: (part: Buffer) => Promise<void>) {
    this.#write = write
  }

  /** Adds an entry whose content is known. */
  async add(head: ZipHead, { method, crc, size, packed }: ZipContent): Promise<void> {
    const written = { method, flags: flagsOf(head.name), crc, size, packedSize: packed.length }
    const offset = this.#offset
    await this.#put(localHeader(head, written, false))
    await this.#put(packed)
    this.#list(directoryEntry(head, written, offset))
  }

  /** Adds an entry of approximately this many bytes while they arrive; `deflate` compresses them. */
  async addStream(
    head: ZipHead,
    sizeHint: number,
    source: AsyncIterable<Buffer>,
    deflate: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
  ): Promise<void> {
    const isWide = sizeHint >= wideFrom
    const offset = this.#offset
    let [crc, size, packedSize] = [0, 0, 0]
    const counted = async function* () {
      for await (const part of source) {
        crc = crc32(part, crc)
        size += part.length
        yield part
      }
    }
    const flags = flagsOf(head.name) | 8
    await this.#put(localHeader(head, { method: 8, flags, crc: 0, size: 0, packedSize: 0 }, isWide))
    for await (const part of deflate(counted())) {
      packedSize += part.length
      await this.#put(part)
    }
    await this.#put(descriptor(crc, packedSize, size, isWide))
    this.#list(directoryEntry(head, { method: 8, flags, crc, size, packedSize }, offset))
  }

  /** Writes the directory, which completes the archive. */
  async end(): Promise<void> {
    const start = this.#offset
    for (const part of [...this.#directory, ...this.#latest]) await this.#put(part)
    await this.#put(endOfDirectory(this.#entries, this.#offset - start, start))
  }

  // A buffer for each entry would cost many times its bytes.
  #list(entry: Buffer): void {
    this.#entries++
    if (this.#latest.push(entry) < 1000) return
    this.#directory.push(Buffer.concat(this.#latest))
    this.#latest = []
  }

  async #put(part: Buffer): Promise<void> {
    this.#offset += part.length
    await this.#write(part)
  }
}

function flagsOf(name: ByteString): number {
  return !/^[\x00-\x7f]*$/.test(name) && isUtf8(Buffer.from(name, 'latin1')) ? 0x800 : 0
}

function localHeader(
  { name, mtime }: ZipHead,
  { method, flags, crc, size, packedSize }: Written,
  isWide: boolean,
): Buffer {
  const extra = Buffer.concat([timeField(mtime), isWide ? wideField(0, 0) : Buffer.alloc(0)])
  const fixed = Buffer.alloc(30)
  fixed.writeUInt32LE(0x04034b50, 0)
  fixed.writeUInt16LE(isWide ? 45 : 20, 4)
  fixed.writeUInt16LE(flags, 6)
  fixed.writeUInt16LE(method, 8)
  fixed.writeUInt32LE(dosTime(mtime), 10)
  fixed.writeUInt32LE(crc, 14)
  fixed.writeUInt32LE(isWide ? wide : packedSize, 18)
  fixed.writeUInt32LE(isWide ? wide : size, 22)
  fixed.writeUInt16LE(name.length, 26)
  fixed.writeUInt16LE(extra.length, 28)
  return Buffer.concat([fixed, Buffer.from(name, 'latin1'), extra])
}

function descriptor(crc: number, packedSize: number, size: number, isWide: boolean): Buffer {
  const bytes = Buffer.alloc(isWide ? 24 : 16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  if (isWide) {
    bytes.writeBigUInt64LE(BigInt(packedSize), 8)
    bytes.writeBigUInt64LE(BigInt(size), 16)
    return bytes
  }
  bytes.writeUInt32LE(packedSize, 8)
  bytes.writeUInt32LE(size, 12)
  return bytes
}

function directoryEntry(
  { name, mode, mtime, nanos }: ZipHead,
  { method, flags, crc, size, packedSize }: Written,
  offset: number,
): Buffer {
  const isWide = Math.max(size, packedSize, offset) >= wide
  const extra = Buffer.concat([
    timeField(mtime),
    fineTimeField(mtime, nanos),
    isWide ? wideField(size, packedSize, offset) : Buffer.alloc(0),
  ])
  const fixed = Buffer.alloc(46)
  fixed.writeUInt32LE(0x02014b50, 0)
  fixed.writeUInt16LE((3 << 8) | 45, 4) // made on Unix: the mode is that of lstat
  fixed.writeUInt16LE(isWide ? 45 : 20, 6)
  fixed.writeUInt16LE(flags, 8)
  fixed.writeUInt16LE(method, 10)
  fixed.writeUInt32LE(dosTime(mtime), 12)
  fixed.writeUInt32LE(crc, 16)
  fixed.writeUInt32LE(isWide ? wide : packedSize, 20)
  fixed.writeUInt32LE(isWide ? wide : size, 24)
  fixed.writeUInt16LE(name.length, 28)
  fixed.writeUInt16LE(extra.length, 30)
  fixed.writeUInt32LE(((mode & 0xffff) * 0x10000 + (name.endsWith('/') ? 0x10 : 0)) >>> 0, 38)
  fixed.writeUInt32LE(isWide ? wide : offset, 42)
  return Buffer.concat([fixed, Buffer.from(name, 'latin1'), extra])
}

function endOfDirectory(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(Math.min(size, wide), 12)
  end.writeUInt32LE(Math.min(start, wide), 16)
  if (count < 0xffff && size < wide && start < wide) return end
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE((3 << 8) | 45, 12)
  record.writeUInt16LE(45, 14)
  for (const [at, value] of [count, count, size, start].entries())
    record.writeBigUInt64LE(BigInt(value), 24 + at * 8)
  record.writeUInt32LE(0x07064b50, 56) // the locator of this record
  record.writeBigUInt64LE(BigInt(start + size), 64)
  record.writeUInt32LE(1, 72)
  return Buffer.concat([record, end])
}

function wideField(...values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + at * 8)
  return field
}
