import type { FileContent } from '../queries.ts'

type Part = Pick<FileContent, 'content' | 'start' | 'end' | 'is_cut' | 'encoding'>

/** The position of a line: the offset to read from, and its index from 1 among the lines shown. */
export interface Spot {
  readonly start: number
  readonly line: number
}

/** Reads a part of the file from an offset. */
export type ReadPart = (start: number) => Promise<Part>

const linesAbove = 5
const encoder = new TextEncoder()

/** Finds a line of a large file by counting from the start; undefined if it is not found within the limit. */
export async function findLine(read: ReadPart, line: number, limitBytes: number): Promise<Spot | undefined> {
  let before = { text: '', start: 0, lines: 0 } // the previous part: a line may start in it
  for (let start = 0; start < limitBytes;) {
    const part = await read(start)
    const seen = { text: before.text + part.content, start: before.text === '' ? part.start : before.start }
    const wanted = line - before.lines
    if (wanted <= breaksIn(seen.text) + 1 && (!part.is_cut || wanted <= breaksIn(seen.text)))
      return spotIn(seen, wanted, part.encoding)
    if (!part.is_cut || part.end <= start) return undefined
    before = { text: part.content, start: part.start, lines: before.lines + breaksIn(before.text) }
    start = part.end
  }
  return undefined
}

/**
 * Starts at the line break before the context lines, because a part is shown without its first, incomplete
 * line.
 */
function spotIn(
  { text, start }: { readonly text: string; readonly start: number },
  wanted: number,
  encoding: Part['encoding'],
): Spot {
  const first = wanted - linesAbove
  if (first <= 1)
    return start <= longestMark ? { start: 0, line: wanted } : { start, line: Math.max(1, wanted - 1) }
  let at = -1
  for (let count = 1; count < first; count++) at = text.indexOf('\n', at + 1)
  return { start: start + bytesOf(text.slice(0, at), encoding), line: linesAbove + 1 }
}

const longestMark = 3 // the first part omits the UTF-8 byte order mark

function bytesOf(text: string, encoding: Part['encoding']): number {
  if (encoding.startsWith('utf-16')) return text.length * 2
  return encoding.startsWith('utf-8') ? encoder.encode(text).length : text.length
}

function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
