/** A value of a document as the panel reads it: numbers are doubles, and what JSON has no type for is text. */
export type BsonValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly BsonValue[]
  | { readonly [name: string]: BsonValue }

export type BsonDocument = { readonly [name: string]: BsonValue }

const deepest = 100
const limits = { int32: 2 ** 31 }

/** Writes a document as BSON (bsonspec.org 1.1): the types that commands of the panel have. */
export function encodeBson(document: BsonDocument): Buffer {
  return encodeEntries(Object.entries(document))
}

function encodeEntries(entries: readonly (readonly [string, BsonValue])[]): Buffer {
  const parts = entries.flatMap(([name, value]) => {
    const { type, content } = encodeValue(value)
    return [Buffer.of(type), cstring(name), content]
  })
  const size = 5 + parts.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([int32(size), ...parts, Buffer.of(0)])
}

function encodeValue(value: BsonValue): { readonly type: number; readonly content: Buffer } {
  if (value === null) return { type: 0x0a, content: Buffer.alloc(0) }
  if (typeof value === 'boolean') return { type: 0x08, content: Buffer.of(value ? 1 : 0) }
  if (typeof value === 'number') return encodeNumber(value)
  if (typeof value === 'string') return { type: 0x02, content: text(value) }
  if (value instanceof Uint8Array)
    return { type: 0x05, content: Buffer.concat([int32(value.length), Buffer.of(0), value]) }
  if (isArray(value))
    return { type: 0x04, content: encodeEntries(value.map((each, index) => [String(index), each])) }
  return { type: 0x03, content: encodeBson(value) }
}

const isArray = (value: BsonValue): value is readonly BsonValue[] => Array.isArray(value)

function encodeNumber(value: number) {
  if (Number.isInteger(value) && value >= -limits.int32 && value < limits.int32)
    return { type: 0x10, content: int32(value) }
  const content = Buffer.alloc(8)
  content.writeDoubleLE(value)
  return { type: 0x01, content }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([int32(bytes.length + 1), bytes, Buffer.of(0)])
}

/** A name that contained a zero byte would end early, and what follows it would be read as something else. */
function cstring(value: string): Buffer {
  if (value.includes('\0')) throw new Error('a name in BSON contains no zero byte')
  return Buffer.concat([Buffer.from(value), Buffer.of(0)])
}

/** Reads a document; throws a RangeError where the bytes are no BSON, whatever they are. */
export function decodeBson(bytes: Buffer): BsonDocument {
  const reader = new Reader(bytes)
  const document = reader.document(0)
  if (reader.at !== bytes.length) throw new RangeError('the document is shorter than its message')
  return document
}

class Reader {
  at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  document(depth: number): BsonDocument {
    return Object.fromEntries(this.#entries(depth))
  }

  #entries(depth: number): [string, BsonValue][] {
    if (depth > deepest) throw new RangeError('the document is nested too deeply')
    const end = this.at + this.#size(5)
    this.at += 4
    const entries: [string, BsonValue][] = []
    for (;;) {
      const type = this.#bytes.readUInt8(this.at++)
      if (type === 0) break
      entries.push([this.#cstring(), this.#value(type, depth)])
    }
    if (this.at !== end) throw new RangeError('a document has another size than it states')
    return entries
  }

  #value(type: number, depth: number): BsonValue {
    switch (type) {
      case 0x01:
        return this.#bytes.readDoubleLE(this.#skip(8))
      case 0x02:
      case 0x0d: // code
      case 0x0e: // symbol
        return this.#text()
      case 0x03:
        return this.document(depth + 1)
      case 0x04:
        return this.#entries(depth + 1).map(([, value]) => value)
      case 0x05:
        return this.#binary()
      case 0x07:
        return this.#hex(12)
      case 0x08:
        return this.#bytes.readUInt8(this.#skip(1)) !== 0
      case 0x09: // a time, in milliseconds
      case 0x11: // a time stamp of the server
      case 0x12:
        return Number(this.#bytes.readBigInt64LE(this.#skip(8)))
      case 0x0b:
        return `/${this.#cstring()}/${this.#cstring()}`
      case 0x10:
        return this.#bytes.readInt32LE(this.#skip(4))
      case 0x13:
        return this.#hex(16)
      case 0x06:
      case 0x0a:
      case 0x7f:
      case 0xff:
        return null
      default:
        throw new RangeError(`the panel does not read BSON of type ${type}`)
    }
  }

  /** Reads a size in front of what it counts, without moving on. */
  #size(least: number): number {
    const size = this.#bytes.readInt32LE(this.at)
    if (size < least || this.at + size > this.#bytes.length) throw new RangeError('a size is wrong')
    return size
  }

  #skip(length: number): number {
    const at = this.at
    if (length < 0 || at + length > this.#bytes.length) throw new RangeError('the document is cut off')
    this.at += length
    return at
  }

  #text(): string {
    const length = this.#bytes.readInt32LE(this.#skip(4))
    const at = this.#skip(length)
    return this.#bytes.toString('utf8', at, Math.max(at, this.at - 1))
  }

  #binary(): Uint8Array {
    const length = this.#bytes.readInt32LE(this.#skip(4))
    this.#skip(1)
    const at = this.#skip(length)
    return this.#bytes.subarray(at, this.at)
  }

  #hex(length: number): string {
    const at = this.#skip(length)
    return this.#bytes.toString('hex', at, this.at)
  }

  #cstring(): string {
    const end = this.#bytes.indexOf(0, this.at)
    if (end < 0) throw new RangeError('a name has no end')
    const name = this.#bytes.toString('utf8', this.at, end)
    this.at = end + 1
    return name
  }
}
