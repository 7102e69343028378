import { setImmediate } from 'node:timers/promises'
import { decodeMmdb } from './mmdb-data.ts'

/** Sorted ranges of addresses in hexadecimal digits, as address sets have them. */
export interface AddressRanges {
  readonly v4: string
  readonly v6: string
}

/** An MMDB file that tells the countries of addresses (https://maxmind.github.io/MaxMind-DB/). */
export interface CountryFile {
  readonly builtAt: Date
  /** Returns the ranges of a country by its ISO code, of several with one pass; `*` is any country. */
  rangesOf(codes: ReadonlySet<string>): Promise<ReadonlyMap<string, AddressRanges>>
  /** Returns the country of an address in hexadecimal digits; undefined if the file has none. */
  countryOf(hex: string): string | undefined
}

const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')])
const separatorBytes = 16

/** Reads a file of countries; undefined if it is none. */
export function readCountryFile(bytes: Buffer): CountryFile | undefined {
  try {
    return openTree(bytes)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined // it is cut off, or damaged
    throw error
  }
}

function openTree(bytes: Buffer): CountryFile | undefined {
  const at = bytes.lastIndexOf(marker)
  if (at < 0) return undefined
  const facts = decodeMmdb(bytes.subarray(at + marker.length), 0)
  if (!(facts instanceof Map)) return undefined
  const fact = (name: string) => Number(facts.get(name))
  const [count, size] = [fact('node_count'), fact('record_size')]
  const [version, built] = [fact('ip_version'), fact('build_epoch')]
  const nodeBytes = size / 4
  if (![24, 28, 32].includes(size) || ![4, 6].includes(version)) return undefined
  if (!(count * nodeBytes + separatorBytes <= at) || !Number.isSafeInteger(built)) return undefined
  const tree = new Tree(bytes.subarray(0, at), { count, size, version })
  return {
    builtAt: new Date(built * 1000),
    rangesOf: (codes) => tree.rangesOf(codes),
    countryOf: (hex) => tree.countryOf(hex),
  }
}

interface TreeFacts {
  readonly count: number
  readonly size: number
  readonly version: number
}

/** A node that is still to be visited, with the bits that lead to it. */
interface Branch {
  readonly record: number
  readonly depth: number
  readonly bits: bigint
}

const nodesAtOnce = 20_000

class Tree {
  readonly #bytes: Buffer
  readonly #facts: TreeFacts
  readonly #countries = new Map<number, string | undefined>()

  constructor(bytes: Buffer, facts: TreeFacts) {
    this.#bytes = bytes
    this.#facts = facts
  }

  countryOf(hex: string): string | undefined {
    const isV4 = hex.length === 8
    if (!isV4 && this.#facts.version === 4) return undefined
    let record = isV4 ? this.#v4Root() : 0
    const bits = BigInt(`0x${hex}`)
    for (let at = BigInt(hex.length * 4 - 1); at >= 0n && record < this.#facts.count; at--)
      record = this.#child(record, Number((bits >> at) & 1n))
    return record > this.#facts.count ? this.#countryAt(record) : undefined
  }

  async rangesOf(codes: ReadonlySet<string>): Promise<ReadonlyMap<string, AddressRanges>> {
    const v4 = await this.#collect(this.#v4Root(), 32, codes)
    const v6 = this.#facts.version === 6 ? await this.#collect(0, 128, codes, this.#v4Root()) : undefined
    return new Map([...codes].map((code) => [code, { v4: v4.text(code), v6: v6?.text(code) ?? '' }]))
  }

  /** Walks the tree from a node in the order of the addresses; `besides` is where IPv4 is, also by its aliases. */
  async #collect(root: number, width: number, codes: ReadonlySet<string>, besides?: number): Promise<Ranges> {
    const ranges = new Ranges(width)
    const waiting: Branch[] = [{ record: root, depth: 0, bits: 0n }]
    let visited = 0
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { record, depth, bits } = next
      if (depth > 0 && record === besides) continue
      if (record >= this.#facts.count) {
        const code = record === this.#facts.count ? undefined : this.#countryAt(record)
        if (code === undefined) continue
        for (const each of [code, '*']) if (codes.has(each)) ranges.add(each, bits, depth)
        continue
      }
      // a node that leads back to an earlier one
      if (depth >= width || ++visited > this.#facts.count) throw new RangeError('the tree has no end')
      waiting.push({ record: this.#child(record, 1), depth: depth + 1, bits: (bits << 1n) | 1n })
      waiting.push({ record: this.#child(record, 0), depth: depth + 1, bits: bits << 1n })
      if (visited % nodesAtOnce === 0) await setImmediate()
    }
    return ranges
  }

  /** IPv4 addresses are those of `::/96`. */
  #v4Root(): number {
    let record = 0
    const zeros = this.#facts.version === 6 ? 96 : 0
    for (let depth = 0; depth < zeros && record < this.#facts.count; depth++) record = this.#child(record, 0)
    return record
  }

  #child(node: number, side: number): number {
    const { size } = this.#facts
    const at = (node * size) / 4
    if (size === 24) return this.#bytes.readUIntBE(at + side * 3, 3)
    if (size === 32) return this.#bytes.readUInt32BE(at + side * 4)
    const middle = this.#bytes.readUInt8(at + 3)
    return side === 0
      ? ((middle & 0xf0) << 20) + this.#bytes.readUIntBE(at, 3)
      : ((middle & 0x0f) << 24) + this.#bytes.readUIntBE(at + 4, 3)
  }

  #countryAt(record: number): string | undefined {
    if (this.#countries.has(record)) return this.#countries.get(record)
    const { count, size } = this.#facts
    const base = (count * size) / 4 + separatorBytes
    const code = codeOf(decodeMmdb(this.#bytes.subarray(base), record - count - separatorBytes))
    this.#countries.set(record, code)
    return code
  }
}

/** The files of most makers have `country.iso_code`, some only a code. */
function codeOf(record: unknown): string | undefined {
  if (!(record instanceof Map)) return undefined
  const country: unknown = record.get('country') ?? record.get('country_code')
  const code: unknown = country instanceof Map ? country.get('iso_code') : country
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined
}

/** Ranges that come in the order of their addresses; those that touch become one. */
class Ranges {
  readonly #width: number
  readonly #byCode = new Map<string, { first: bigint; last: bigint }[]>()

  constructor(width: number) {
    this.#width = width
  }

  add(code: string, bits: bigint, depth: number): void {
    const rest = BigInt(this.#width - depth)
    const first = bits << rest
    const last = first | ((1n << rest) - 1n)
    const own = this.#byCode.get(code) ?? []
    this.#byCode.set(code, own)
    const previous = own.at(-1)
    if (previous !== undefined && previous.last + 1n === first) previous.last = last
    else own.push({ first, last })
  }

  text(code: string): string {
    const hex = (value: bigint) => value.toString(16).padStart(this.#width / 4, '0')
    return (this.#byCode.get(code) ?? []).map(({ first, last }) => `${hex(first)}${hex(last)}`).join('')
  }
}
