import { Refusal, type ByteString } from './calls.ts'

export const blockBytes = 512
const mostOctalSeconds = 0o77777777777

/** One header as stored in the archive, not validated yet. */
export interface TarHeader {
  readonly name: ByteString
  readonly type: string
  readonly size: number
  readonly mode: number
  /** Whole seconds since 1970, negative before it. */
  readonly mtime: number
  /** Nanoseconds, added to the seconds. */
  readonly nanos?: number
  readonly linkName: ByteString
}

/** Reads one header block. */
export function parseHeader(block: Buffer): TarHeader {
  if (!isHeader(block)) throw noTar()
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isPosix ? textAt(block, 345, 155) : ''
  const name = textAt(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156] || 0x30),
    size: numberAt(block, 124, 12),
    mode: numberAt(block, 100, 8),
    mtime: secondsAt(block, 136, 12),
    linkName: textAt(block, 157, 100),
  }
}

/** The refusal of a file that does not begin as a tar archive, or does not continue as one. */
export function noTar(): Refusal {
  return new Refusal('REFUSED', undefined, 'it is not a tar archive, or is damaged')
}

/** Returns true if a block is a header: other data have no valid checksum, whatever they begin with. */
export function isHeader(block: Buffer): boolean {
  const written = /^[\0 ]*([0-7]+)[\0 ]*$/.exec(block.toString('latin1', 148, 156))?.[1]
  return (
    block.length === blockBytes && written !== undefined && Number.parseInt(written, 8) === checksum(block)
  )
}

/** Parses the time of a pax record: seconds, negative before 1970, with any number of decimals. Returns undefined for anything else. */
export function parseTime(text: string): Pick<TarHeader, 'mtime' | 'nanos'> | undefined {
  const [, sign, seconds, decimals = ''] = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  const nanos = Number(decimals.slice(0, 9).padEnd(9, '0'))
  if (sign !== '-') return { mtime: Number(seconds), nanos }
  return nanos === 0
    ? { mtime: -Number(seconds), nanos }
    : { mtime: -Number(seconds) - 1, nanos: 1_000_000_000 - nanos }
}

/** Writes a header of our own, so that tar reads nothing but checked values. */
export function renderHeader(header: TarHeader): Buffer {
  return Buffer.concat([
    longName('L', header.name),
    longName('K', header.linkName),
    exactTime(header),
    shortHeader(header),
  ])
}

/** Encodes the `key=value` records of a pax header. */
export function parsePax(text: ByteString): Map<string, ByteString> {
  const found = new Map<string, ByteString>()
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(' ', at)
    const size = Number(text.slice(at, space))
    if (space < 0 || !Number.isInteger(size) || size < 5 || at + size > text.length)
      throw new Refusal('REFUSED', undefined, 'an extended header is damaged')
    const record = text.slice(space + 1, at + size - 1)
    const equals = record.indexOf('=')
    if (equals > 0) found.set(record.slice(0, equals), record.slice(equals + 1))
    at += size
  }
  return found
}

function shortHeader(header: TarHeader): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(header.name.slice(0, 100), 0, 'latin1')
  octal(block, 100, 8, header.mode)
  octal(block, 108, 8, 0)
  octal(block, 116, 8, 0)
  if (header.size < 0o100000000000) octal(block, 124, 12, header.size)
  else {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(header.size), 128)
  }
  octal(block, 136, 12, Math.min(Math.max(header.mtime, 0), mostOctalSeconds))
  block.write(header.type, 156, 'latin1')
  block.write(header.linkName.slice(0, 100), 157, 'latin1')
  block.write('ustar  \0', 257, 'latin1')
  block.write(checksum(block).toString(8).padStart(6, '0') + '\0 ', 148, 'latin1')
  return block
}

function longName(type: string, name: ByteString): Buffer {
  if (name.length <= 100) return Buffer.alloc(0)
  const size = name.length + 1
  const body = Buffer.alloc(Math.ceil(size / blockBytes) * blockBytes)
  body.write(name, 'latin1')
  return Buffer.concat([
    shortHeader({ name: '././@LongLink', type, size, mode: 0, mtime: 0, linkName: '' }),
    body,
  ])
}

// A plain header stores whole seconds from 1970 to 2242.
function exactTime({ mtime, nanos = 0 }: TarHeader): Buffer {
  if (nanos === 0 && mtime >= 0 && mtime <= mostOctalSeconds) return Buffer.alloc(0)
  const record = ` mtime=${decimalTime(mtime, nanos)}\n`
  const size = record.length + 2 // its own two digits count
  const body = Buffer.alloc(blockBytes)
  body.write(`${size}${record}`, 'latin1')
  return Buffer.concat([
    shortHeader({ name: '././@PaxHeader', type: 'x', size, mode: 0, mtime: 0, linkName: '' }),
    body,
  ])
}

// -1 and 750,000,000 are a quarter of a second before 1970.
function decimalTime(mtime: number, nanos: number): string {
  const isBefore = mtime < 0 && nanos > 0
  const [seconds, fraction] = isBefore ? [mtime + 1, 1_000_000_000 - nanos] : [mtime, nanos]
  return `${isBefore ? '-' : ''}${isBefore ? -seconds : seconds}.${String(fraction).padStart(9, '0')}`
}

function octal(block: Buffer, at: number, width: number, value: number): void {
  block.write(value.toString(8).padStart(width - 1, '0') + '\0', at, 'latin1')
}

function checksum(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 0x20 : block[at]!
  return sum
}

function textAt(block: Buffer, at: number, width: number): ByteString {
  const text = block.toString('latin1', at, at + width)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

// Like a number, but GNU's base 256 may be negative here: 95 bits with a sign.
function secondsAt(block: Buffer, at: number, width: number): number {
  if (!(block[at]! & 0x80)) return numberAt(block, at, width)
  const bits = BigInt.asIntN(width * 8 - 1, BigInt(`0x${block.toString('hex', at, at + width)}`))
  return Math.min(Math.max(Number(bits), -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

// Octal text, or GNU's base 256 if the first bit is set.
function numberAt(block: Buffer, at: number, width: number): number {
  if (block[at]! & 0x80) {
    const isSmall = block.subarray(at + 1, at + width - 6).every((byte) => byte === 0)
    if (block[at] !== 0x80 || !isSmall)
      throw new Refusal('REFUSED', undefined, 'a number in a header is negative or too large')
    return block.readUIntBE(at + width - 6, 6)
  }
  const text = textAt(block, at, width).trim()
  if (text !== '' && !/^[0-7]+$/.test(text)) throw noTar()
  return text === '' ? 0 : Number.parseInt(text, 8)
}
