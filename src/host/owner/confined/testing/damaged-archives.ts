import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { isHeader, renderHeader } from '../tar-headers.ts'
import { ZipWriter } from '../zip-writer.ts'

/** The kinds of archives that are unpacked. */
export type Format = 'tar' | 'gzip' | 'zstd' | 'xz' | 'zip' | '7z'

interface Member {
  readonly name: string
  readonly type: string
  readonly body: string
  /** Added to the true size of the content. */
  readonly sizeError: number
  readonly linkName: string
  readonly mtime: number
}

interface Damage {
  readonly kind: 'flip' | 'fill' | 'cut' | 'remove' | 'repeat' | 'insert'
  /** Position and length as shares of the file, so that they stay meaningful when it shrinks. */
  readonly at: number
  readonly length: number
  readonly byte: number
}

/** An archive with hostile entries and damaged bytes, and how it was made, for the report of a failure. */
export interface DamagedArchive {
  readonly format: Format
  readonly members: readonly Member[]
  readonly damages: readonly Damage[]
  /** Damages the bytes before they are compressed; without it, those of the compressed file. */
  readonly isDamagedInside: boolean
  /** Corrects the checksums of damaged tar headers, so that more than the checksum is tested. */
  readonly isResealed: boolean
}

const hostileNames = ['../x', '/x', '/etc/passwd', 'a/../../x', './a', '.', '']
const targets = ['a', 'd', '.', '..', '../..', '/etc', 'd/../..', 'l', 'd/b', '']
const types = ['0', '1', '2', '5', '3', '6', '7', 'x', 'g', 'L', 'K', 'D', 'S', 'V', 'M', '\0', 'Z']
const paxTexts = ['12 path=../x\n', '16 linkpath=/etc\n', '15 size=99999999', '9 size=-1\n', '0 =\n', 'x']

const member: fc.Arbitrary<Member> = fc.record({
  name: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'd/', 'd/b', 'd/e/c', 'l', 'l/x') },
    { weight: 2, arbitrary: fc.constantFrom(...hostileNames) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 8 }) },
    { weight: 1, arbitrary: fc.nat({ max: 5000 }).map((length) => 'n/'.repeat(length)) },
  ),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant('0') }, fc.constantFrom(...types)),
  body: fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 2000 }) },
    { weight: 2, arbitrary: fc.constantFrom(...paxTexts, ...targets) },
    { weight: 1, arbitrary: fc.nat({ max: 2_000_000 }).map((length) => '0'.repeat(length)) },
  ),
  sizeError: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: -600, max: 2 ** 40 })),
  linkName: fc.constantFrom(...targets),
  mtime: fc.constantFrom(0, 1_700_000_000, -1, 2 ** 40, -(2 ** 40)),
})

const share = fc.noBias(fc.nat({ max: 100_000 })).map((part) => part / 100_000)
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'flip', 'flip', 'fill', 'fill', 'cut', 'remove', 'repeat', 'insert'),
  at: share,
  length: fc.oneof(share, fc.constantFrom(0, 0.001, 0.01)),
  byte: fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0xff), fc.nat({ max: 255 })),
})

/** Generates archives of a format: hostile entries, damaged bytes, or both. */
export function damagedArchives(format: Format): fc.Arbitrary<DamagedArchive> {
  return fc.record({
    format: fc.constant(format),
    members: fc.array(member, { minLength: 1, maxLength: 6 }),
    damages: fc.noBias(fc.array(damage, { maxLength: 3 })),
    isDamagedInside: fc.boolean(),
    isResealed: fc.boolean(),
  })
}

/** Returns the bytes of an archive; 7z archives, which this process cannot write, are damaged copies of `sevenZip`. */
export async function bytesOf(archive: DamagedArchive, sevenZip: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  if (archive.format === '7z') return damaged(sevenZip, archive)
  if (archive.format === 'zip') return damaged(await zipOf(archive.members), archive)
  const tar = tarOf(archive.members)
  if (archive.format === 'tar') return damaged(tar, archive)
  const pack = packers[archive.format]
  return archive.isDamagedInside ? pack(damaged(tar, archive)) : damaged(pack(tar), archive)
}

const packers = {
  gzip: (bytes: Buffer): Buffer => gzipSync(bytes),
  zstd: (bytes: Buffer): Buffer => zstdCompressSync(bytes),
  xz: (bytes: Buffer): Buffer => execFileSync('xz', ['--stdout', '-0'], { input: bytes, maxBuffer: 2 ** 28 }),
}

function tarOf(members: readonly Member[]): Buffer {
  const parts = members.flatMap(({ name, type, body, sizeError, linkName, mtime }) => {
    const bytes = Buffer.from(body, 'latin1')
    const size = Math.max(0, bytes.length + sizeError)
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512)
    return [renderHeader({ name, type, size, mode: 0o7777, mtime, linkName }), bytes, padding]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

const zipModes: Readonly<Record<string, number>> = {
  '2': 0o120777,
  '5': 0o040755,
  '3': 0o020666,
  '6': 0o010644,
}

async function zipOf(members: readonly Member[]): Promise<Buffer> {
  const parts: Buffer[] = []
  const writer = new ZipWriter(async (part) => void parts.push(Buffer.from(part)))
  for (const { name, type, body, sizeError, linkName, mtime } of members) {
    const content = Buffer.from(type === '2' ? linkName : body, 'latin1')
    const size = Math.min(Math.max(0, content.length + sizeError), 2 ** 31)
    const head = { name, mode: zipModes[type] ?? 0o100644, mtime, nanos: 0 }
    await writer.add(head, { method: 8, crc: crc32(content), size, packed: deflateRawSync(content) })
  }
  await writer.end()
  return Buffer.concat(parts)
}

function damaged(bytes: Buffer, { damages, isResealed }: DamagedArchive): Buffer {
  const result = damages.reduce(withDamage, bytes)
  return isResealed ? resealed(result) : result
}

function withDamage(bytes: Buffer, { kind, at, length, byte }: Damage): Buffer {
  const start = Math.floor(at * bytes.length)
  const end = Math.min(bytes.length, start + Math.ceil(length * bytes.length))
  const [before, middle, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)]
  if (kind === 'cut') return before
  if (kind === 'remove') return Buffer.concat([before, after])
  if (kind === 'repeat') return Buffer.concat([before, middle, middle, after])
  if (kind === 'insert')
    return Buffer.concat([before, Buffer.alloc(Math.min(middle.length, 4096), byte), middle, after])
  const changed = Buffer.from(middle)
  if (kind === 'fill') changed.fill(byte)
  else if (changed.length > 0) changed[0] = changed[0]! ^ (byte | 1)
  return Buffer.concat([before, changed, after])
}

/** Corrects the checksum of every block that says `ustar` and has a wrong one. */
function resealed(bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  for (let at = 0; at + 512 <= result.length; at += 512) {
    const block = result.subarray(at, at + 512)
    if (block.toString('latin1', 257, 262) !== 'ustar' || isHeader(block)) continue
    block.fill(0x20, 148, 156)
    const sum = block.reduce((total, value) => total + value, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  }
  return result
}
