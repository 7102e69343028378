import { Refusal, type ByteString } from './calls.ts'
import {
  blockBytes,
  noTar,
  parseHeader,
  parsePax,
  parseTime,
  renderHeader,
  type TarHeader,
} from './tar-headers.ts'
import { oneOfSeveral, type TarRules } from './tar-rules.ts'

const maxExtendedBytes = 1024 * 1024

/**
 * Reads a tar archive and writes it again with headers of our own: only entries that the rules admit, and nothing that two programs could
 * read differently. Ends at the archive's end mark; bytes after it are never read.
 */
export async function* filterTar(source: AsyncIterable<Buffer>, rules: TarRules): AsyncGenerator<Buffer> {
  const input = new Blocks(source)
  let next: Partial<TarHeader> = {}
  for (;;) {
    const block = await input.block()
    if (block === undefined || block.every((byte) => byte === 0)) break
    const header = parseHeader(block)
    if ('xgLK'.includes(header.type)) {
      next = { ...next, ...extended(header.type, await input.text(header.size)) }
      continue
    }
    if (header.type === 'V') {
      await input.skip(header.size) // the label of the whole archive
      continue
    }
    const entry = withoutListing({ ...header, ...next })
    next = {}
    if (header.type === 'D') await input.skip(header.size)
    const admitted = rules.admit(entry)
    if (admitted !== undefined) yield renderHeader(admitted)
    if (admitted === undefined && entry.size > 0)
      throw new Refusal('REFUSED', entry.name, 'a folder with content')
    yield* input.content(entry.size)
  }
  if (rules.entries === 0) throw new Refusal('REFUSED', undefined, 'it contains no entries')
  yield Buffer.alloc(2 * blockBytes)
}

// A folder of an incremental archive has the names below it as its content, which unpacking does not need.
function withoutListing(entry: TarHeader): TarHeader {
  return entry.type === 'D' ? { ...entry, type: '5', size: 0 } : entry
}

function extended(type: string, text: ByteString): Partial<TarHeader> {
  const bare = text.replace(/\0+$/, '')
  if (type === 'L') return { name: bare }
  if (type === 'K') return { linkName: bare }
  const pax = parsePax(text)
  for (const key of pax.keys()) {
    if (key.startsWith('GNU.sparse'))
      throw new Refusal('REFUSED', undefined, 'sparse entries are not supported')
    if (/^GNU\.volume\.(filename|size|offset)$/.test(key))
      throw new Refusal('REFUSED', undefined, oneOfSeveral)
  }
  if (type === 'g') return {} // names for all entries at once have no legitimate use; times and comments do not matter here
  const [name, linkName, size, mtime] = [
    pax.get('path'),
    pax.get('linkpath'),
    pax.get('size'),
    pax.get('mtime'),
  ]
  return {
    ...(name === undefined ? {} : { name }),
    ...(linkName === undefined ? {} : { linkName }),
    ...(size === undefined ? {} : { size: natural(size) }),
    ...(mtime === undefined ? {} : parseTime(mtime)),
  }
}

function natural(text: string): number {
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('REFUSED', undefined, 'a size that is not a number')
  return value
}

class Blocks {
  readonly #source: AsyncIterator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  #isNew = true

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns the next block; undefined if the source ends between two blocks. */
  async block(): Promise<Buffer | undefined> {
    if (this.#chunk.length === 0 && !(await this.#fill())) return undefined
    const block = await this.#take(blockBytes, this.#isNew ? noTar : cutOff)
    this.#isNew = false
    return block
  }

  async text(size: number): Promise<ByteString> {
    if (size > maxExtendedBytes) throw new Refusal('REFUSED', undefined, 'an extended header is too large')
    const whole = await this.#take(padded(size), cutOff)
    return whole.toString('latin1', 0, size)
  }

  async skip(size: number): Promise<void> {
    for await (const _ of this.content(size)); // discarded
  }

  async *content(size: number): AsyncGenerator<Buffer> {
    for (let left = padded(size); left > 0;) {
      if (this.#chunk.length === 0 && !(await this.#fill())) throw cutOff()
      const part = this.#chunk.subarray(0, left)
      this.#chunk = this.#chunk.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async #take(size: number, failure: () => Refusal): Promise<Buffer> {
    while (this.#chunk.length < size) if (!(await this.#fill())) throw failure()
    const taken = this.#chunk.subarray(0, size)
    this.#chunk = this.#chunk.subarray(size)
    return taken
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done === true) return false
    this.#chunk = this.#chunk.length === 0 ? next.value : Buffer.concat([this.#chunk, next.value])
    return true
  }
}

function padded(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes
}

function cutOff(): Refusal {
  return new Refusal('REFUSED', undefined, 'it ends in the middle of an entry')
}
