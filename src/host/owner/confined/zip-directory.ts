import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Refusal, type ByteString } from './calls.ts'
import { timeOf } from './zip-times.ts'

/** One entry as stored in the archive's directory, not validated yet. */
export interface ZipEntry {
  readonly name: ByteString
  readonly rawName: ByteString
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly mtime: number
  /** Nanoseconds, added to the seconds. */
  readonly nanos: number
  /** As from lstat; 0 if the archive was not created on Unix. */
  readonly mode: number
  readonly offset: number
}

const maxDirectoryBytes = 128 * 1024 * 1024
const wide = 0xffffffff

interface Directory {
  readonly entries: ZipEntry[]
  /** The offset at which the directory starts; no byte of an entry comes after it. */
  readonly start: number
}

/** Reads the directory at the end of a zip archive; entries are in the order of their offsets in the file. More than `maxEntries` are refused before they are stored. */
export async function readDirectory(
  archive: FileHandle,
  archiveBytes: number,
  maxEntries: number,
): Promise<Directory> {
  const tailSize = Math.min(archiveBytes, 22 + 65_535)
  const tail = await bytesAt(archive, archiveBytes - tailSize, tailSize)
  const end = endOf(tail)
  const { count, size, start } = await whole(archive, archiveBytes - tailSize + end, tail.subarray(end))
  if (count > maxEntries) throw new Refusal('REFUSED', undefined, `more than ${maxEntries} entries`)
  if (size > maxDirectoryBytes || start + size > archiveBytes) throw damaged()
  const directory = await bytesAt(archive, start, size)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const next =
      at +
      46 +
      directory.readUInt16LE(at + 28) +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32)
    if (next > directory.length) throw damaged()
    entries.push(entryOf(directory.subarray(at, next)))
    at = next
  }
  return { entries: entries.sort((a, b) => a.offset - b.offset), start }
}

/** Reads exactly this many bytes of a file. */
export async function bytesAt(file: FileHandle, start: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, size - done, start + done)
    if (bytesRead === 0) throw damaged()
    done += bytesRead
  }
  return bytes
}

export function damaged(name?: ByteString): Refusal {
  return new Refusal('REFUSED', name, 'it is not a complete zip archive')
}

// The comment after the end record may contain anything: only a record whose comment reaches the end of the file counts.
function endOf(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) === 0x06054b50 && at + 22 + tail.readUInt16LE(at + 20) === tail.length)
      return at
  }
  throw damaged()
}

async function whole(
  archive: FileHandle,
  endAt: number,
  end: Buffer,
): Promise<{ count: number; size: number; start: number }> {
  const short = { count: end.readUInt16LE(10), size: end.readUInt32LE(12), start: end.readUInt32LE(16) }
  if (short.count !== 0xffff && short.size !== wide && short.start !== wide) return short
  if (endAt < 20) return short
  const locator = await bytesAt(archive, endAt - 20, 20)
  if (locator.readUInt32LE(0) !== 0x07064b50) return short
  const record = await bytesAt(archive, numberAt(locator, 8), 56)
  if (record.readUInt32LE(0) !== 0x06064b50) throw damaged()
  return { count: numberAt(record, 32), size: numberAt(record, 40), start: numberAt(record, 48) }
}

function entryOf(record: Buffer): ZipEntry {
  const [host, flags] = [record[5] ?? 0, record.readUInt16LE(8)]
  const nameEnd = 46 + record.readUInt16LE(28)
  const rawName = record.toString('latin1', 46, nameEnd)
  if ((flags & 1) !== 0) throw new Refusal('REFUSED', rawName, 'an encrypted entry')
  const fields = extraFields(record.subarray(nameEnd, nameEnd + record.readUInt16LE(30)))
  const name = unicodeName(rawName, fields.get(0x7075)) ?? rawName
  let [size, packedSize, offset] = [record.readUInt32LE(24), record.readUInt32LE(20), record.readUInt32LE(42)]
  const wideField = fields.get(0x0001) ?? Buffer.alloc(0)
  let at = 0
  const widened = (value: number): number => {
    if (value !== wide || at + 8 > wideField.length) return value
    at += 8
    return numberAt(wideField, at - 8)
  }
  size = widened(size)
  packedSize = widened(packedSize)
  offset = widened(offset)
  return {
    rawName,
    name: [0, 10, 11, 14].includes(host) ? name.replaceAll('\\', '/') : name, // DOS and Windows
    method: record.readUInt16LE(10),
    crc: record.readUInt32LE(16),
    packedSize,
    size,
    ...timeOf(record, fields),
    mode: host === 3 ? record.readUInt16LE(40) : 0,
    offset,
  }
}

// Info-ZIP's field for a name in a legacy code page: its text, and the checksum of the name that it belongs to.
function unicodeName(rawName: ByteString, field: Buffer | undefined): ByteString | undefined {
  if (field === undefined || field.length < 6 || field[0] !== 1) return undefined
  if (field.readUInt32LE(1) !== crc32(Buffer.from(rawName, 'latin1')) || !isUtf8(field.subarray(5)))
    return undefined
  return field.toString('latin1', 5)
}

function extraFields(extra: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= extra.length;) {
    const size = extra.readUInt16LE(at + 2)
    found.set(extra.readUInt16LE(at), extra.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return found
}

function numberAt(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at))
  if (!Number.isSafeInteger(value)) throw damaged()
  return value
}
