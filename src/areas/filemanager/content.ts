import { buffer } from 'node:stream/consumers'
import type { Owner } from '../../host/owner/index.ts'
import { decode, markOf, wholeCharacters } from './encoding.ts'
import type { TextPath } from './paths.ts'

interface Part {
  readonly start: number
  readonly limit: number
}

/** Reads a part of a file as text, or as base64 if it is not text. Both ends move by up to three bytes so that no character is cut. */
export async function readContent(owner: Owner, path: TextPath, part: Part) {
  const from = before(part.start)
  const { stat, stream } = await owner.read(path, { start: from, end: part.start + part.limit + 4 })
  const bytes = await buffer(stream)
  const top = from === 0 ? bytes : await buffer((await owner.read(path, { end: 3 })).stream)
  return { ...textOf({ bytes, from, top, sizeBytes: stat.size_bytes }, part), etag: stat.etag }
}

/** Returns a part of bytes in memory in the same form as `readContent`. */
export function contentOf(bytes: Buffer, part: Part) {
  return textOf({ bytes, from: 0, top: bytes, sizeBytes: bytes.length }, part)
}

interface Around {
  /** The part with a few bytes around it; `from` is the offset of the first of them in the file. */
  readonly bytes: Buffer
  readonly from: number
  /** The first bytes of the file, which may contain a byte order mark. */
  readonly top: Buffer
  readonly sizeBytes: number
}

function textOf({ bytes, from, top, sizeBytes }: Around, { start, limit }: Part) {
  const mark = markOf(top)
  const asked = {
    from: Math.min(start - from, bytes.length),
    to: Math.min(start - from + limit, bytes.length),
  }
  const cut = wholeCharacters(bytes, asked, mark?.encoding)
  const afterMark = from === 0 ? Math.min(Math.max(cut.from, mark?.sizeBytes ?? 0), bytes.length) : cut.from
  const text = decode(bytes.subarray(afterMark, Math.max(afterMark, cut.to)), mark)
  // binary content has no byte order mark: its first bytes only look like one
  const first = text.encoding === 'base64' ? cut.from : afterMark
  const last = Math.max(first, cut.to)
  return {
    ...(first === afterMark ? text : { ...text, content: bytes.toString('base64', first, last) }),
    start: Math.min(from + first, sizeBytes),
    end: Math.min(from + last, sizeBytes),
    size_bytes: sizeBytes,
    is_cut: from + last < sizeBytes,
  }
}

// A character may begin a few bytes before the part and reach into it. The offset is even because UTF-16 has units of two bytes.
function before(start: number): number {
  const from = Math.max(0, start - 4)
  return from + (from % 2)
}
