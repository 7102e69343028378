import type { ByteString } from './calls.ts'
import { blockBytes, parseHeader, parsePax } from './tar-headers.ts'

const special = '346'

/** Copies a tar archive without its pipes and devices, as no archive with those can be unpacked here. */
export async function* withoutSpecial(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const entries = new Entries()
  for await (const part of source) for (const piece of entries.push(part)) yield piece
  yield entries.held // truncated, or nothing: the exit code of tar decides
}

/** Parses headers as they arrive; content is passed through. */
class Entries {
  /** The headers of the next entry received so far. */
  held: Buffer = Buffer.alloc(0)
  readonly #dropped = new Set<ByteString>()
  #contentBytes = 0
  #isOver = false

  push(part: Buffer): Buffer[] {
    const bytes = this.held.length === 0 ? part : Buffer.concat([this.held, part])
    const pieces: Buffer[] = []
    let [from, at] = [0, 0]
    while (at < bytes.length) {
      const skipped = this.#isOver ? bytes.length - at : Math.min(this.#contentBytes, bytes.length - at)
      at += skipped
      this.#contentBytes -= Math.min(skipped, this.#contentBytes)
      if (at === bytes.length) break
      const next = this.#entryAt(bytes, at)
      if (next === undefined) break
      if (next.isDropped) {
        pieces.push(bytes.subarray(from, at))
        from = next.end
      }
      at = next.end
    }
    pieces.push(bytes.subarray(from, at))
    this.held = bytes.subarray(at)
    return pieces.filter(({ length }) => length > 0)
  }

  /** Returns the headers of one entry; undefined if they are incomplete. */
  #entryAt(bytes: Buffer, start: number): { readonly end: number; readonly isDropped: boolean } | undefined {
    let pax = new Map<string, ByteString>()
    for (let at = start; at + blockBytes <= bytes.length;) {
      const block = bytes.subarray(at, at + blockBytes)
      at += blockBytes
      if (block.every((byte) => byte === 0)) {
        this.#isOver = true
        return { end: at, isDropped: false }
      }
      const header = parseHeader(block)
      if (header.type !== 'x') {
        const size = Number(pax.get('size') ?? header.size)
        this.#contentBytes = header.type === '0' ? Math.ceil(size / blockBytes) * blockBytes : 0
        return {
          end: at,
          isDropped: this.#drops(
            header.type,
            pax.get('path') ?? header.name,
            pax.get('linkpath') ?? header.linkName,
          ),
        }
      }
      const padded = Math.ceil(header.size / blockBytes) * blockBytes
      if (at + padded > bytes.length) return undefined
      pax = parsePax(bytes.toString('latin1', at, at + header.size))
      at += padded
    }
    return undefined
  }

  // A second name of a pipe is stored as a hard link to the first.
  #drops(type: string, name: ByteString, linkName: ByteString): boolean {
    if (!special.includes(type) && !(type === '1' && this.#dropped.has(linkName))) return false
    this.#dropped.add(name)
    return true
  }
}
