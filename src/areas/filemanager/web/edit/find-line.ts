import type { FileContent } from '../queries.ts'

type Part = Pick<FileContent, 'content' | 'start' | 'end' | 'is_cut' | 'encoding'>

/** Where a line stands: where to begin to read, and its place from there among the lines that are shown, from 1. */
export interface Spot {
  readonly start: number
  readonly line: number
}

/** Reads a part of the file from a position on. */
export type ReadPart = (start: number) => Promise<Part>

const linesAbove = 5
const encoder = new TextEncoder()

/** Finds a line of a large file by counting from its beginning, up to a limit; undefined where it was not met until then. */
export async function findLine(read: ReadPart, line: number, limitBytes: number): Promise<Spot | undefined> {
  let before = { text: '', start: 0, lines: 0 } // the part before, as a line may begin in it
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

/** Begins at the line break before the lines above the wanted one: of a part the line that begins before it is not shown. */
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

const longestMark = 3 // the mark of utf-8 at the begin of a file is left out of its first part

function bytesOf(text: string, encoding: Part['encoding']): number {
  if (encoding.startsWith('utf-16')) return text.length * 2
  return encoding.startsWith('utf-8') ? encoder.encode(text).length : text.length
}

function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
