/** What the data of an MMDB file consists of; a number of 64 bits may lose its last digits. */
export type MmdbValue =
  | string
  | number
  | boolean
  | Buffer
  | readonly MmdbValue[]
  | ReadonlyMap<string, MmdbValue>

const deepest = 32
const [pointer, string, double, bytes, map, int32, array, boolean, float] = [1, 2, 3, 4, 7, 8, 11, 14, 15]
const unsigned: ReadonlySet<number> = new Set([5, 6, 9, 10])

/** Reads the value at an offset of a data section; throws a RangeError if it is damaged. */
export function decodeMmdb(section: Buffer, offset: number): MmdbValue {
  return new Decoding(section, offset).next(0)
}

class Decoding {
  readonly #section: Buffer
  #at: number

  constructor(section: Buffer, at: number) {
    this.#section = section
    this.#at = at
  }

  next(depth: number): MmdbValue {
    if (depth > deepest) throw new RangeError('the data is nested too deeply')
    const control = this.#section.readUInt8(this.#at++)
    const type = control >> 5 || this.#section.readUInt8(this.#at++) + 7
    if (type === pointer) return this.#behind(control, depth)
    const size = this.#size(control & 31)
    if (type === map) return this.#map(size, depth)
    if (type === array) return Array.from(this.#times(size), () => this.next(depth + 1))
    if (type === boolean) return size !== 0
    return this.#plain(type, this.#take(size))
  }

  #plain(type: number, taken: Buffer): MmdbValue {
    if (type === string) return taken.toString('utf8')
    if (type === double) return taken.readDoubleBE()
    if (type === float) return taken.readFloatBE()
    if (type === bytes) return taken
    if (type === int32) return taken.reduce((sum, byte) => (sum << 8) | byte, 0)
    if (unsigned.has(type)) return taken.reduce((sum, byte) => sum * 256 + byte, 0)
    throw new RangeError(`the data has a value of the unknown type ${type}`)
  }

  #map(size: number, depth: number): ReadonlyMap<string, MmdbValue> {
    const fields = new Map<string, MmdbValue>()
    for (const _ of this.#times(size)) {
      const key = this.next(depth + 1)
      if (typeof key !== 'string') throw new RangeError('a key of the data is no text')
      fields.set(key, this.next(depth + 1))
    }
    return fields
  }

  /** Each item has at least one byte. */
  #times(count: number): readonly undefined[] {
    if (count > this.#section.length - this.#at) throw new RangeError('the data ends too early')
    return Array.from({ length: count }, () => undefined)
  }

  #behind(control: number, depth: number): MmdbValue {
    const length = ((control >> 3) & 3) + 1
    const rest = this.#take(length).reduce((sum, byte) => sum * 256 + byte, 0)
    const high = length === 4 ? 0 : (control & 7) * 256 ** length
    const base = length === 2 ? 2048 : length === 3 ? 526_336 : 0
    return new Decoding(this.#section, high + rest + base).next(depth + 1)
  }

  #size(size: number): number {
    if (size < 29) return size
    const more = this.#take(size - 28).reduce((sum, byte) => sum * 256 + byte, 0)
    return more + [29, 285, 65_821][size - 29]!
  }

  #take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#section.length) throw new RangeError('the data ends too early')
    const taken = this.#section.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
