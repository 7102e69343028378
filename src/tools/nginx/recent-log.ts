import { type LogFile, openLog } from './log-tail.ts'

/** How much of a log is read. */
export interface RecentLimits {
  readonly lines: number
  readonly bytes: number
}

/** The last lines of a log, which may begin in the one that was rotated away last. */
export interface RecentLog {
  /** What stands before them is left out for this limit. */
  readonly cutBy: 'lines' | 'bytes' | null
  readonly bytes: number
  /** Yields the lines in their order, some at once, with one character for each byte. */
  parts(signal: AbortSignal): AsyncGenerator<{ readonly lines: readonly string[]; readonly bytes: number }>
  close(): Promise<void>
}

const partBytes = 256 * 1024
const newline = 0x0a
const longestLine = 64 * 1024

interface Part {
  readonly file: LogFile
  readonly from: number
  readonly to: number
}

/** Opens the last lines of a log. A log that does not exist has none. */
export async function openRecentLog(path: string, limits: RecentLimits): Promise<RecentLog> {
  const parts: Part[] = []
  let left: RecentLimits = limits
  let cutBy: RecentLog['cutBy'] = null
  for (const name of [path, `${path}.1`]) {
    if (cutBy !== null) break
    const file = await openLog(name)
    if (file === undefined) continue
    const { size } = await file.stat()
    const found = await startOf(file, size, left)
    parts.unshift({ file, from: found.from, to: size })
    cutBy = found.cutBy
    left = { lines: left.lines - found.lines, bytes: left.bytes - (size - found.from) }
  }
  return {
    cutBy,
    bytes: parts.reduce((sum, { from, to }) => sum + to - from, 0),
    parts: async function* (signal) {
      for (const part of parts) yield* linesOf(part, signal)
    },
    close: async () => {
      for (const { file } of parts) await file.close()
    },
  }
}

/** Counts lines backwards, and returns where the wanted ones begin. */
async function startOf(file: LogFile, size: number, { lines, bytes }: RecentLimits) {
  const first = Math.max(0, size - bytes)
  const buffer = Buffer.allocUnsafe(partBytes)
  let counted = -1 // the end of the last line begins none
  let start = size
  for (let at = size; at > first;) {
    const from = Math.max(first, at - partBytes)
    const { bytesRead } = await file.read(buffer, 0, at - from, from)
    const part = buffer.subarray(0, bytesRead)
    for (
      let mark = part.lastIndexOf(newline);
      mark >= 0;
      mark = mark === 0 ? -1 : part.lastIndexOf(newline, mark - 1)
    ) {
      start = from + mark + 1
      if (++counted >= lines) return { from: start, lines, cutBy: 'lines' as const }
    }
    at = from
  }
  if (first > 0) return { from: start, lines: Math.max(0, counted), cutBy: 'bytes' as const }
  return { from: 0, lines: counted + 1, cutBy: null }
}

/** What follows the last end of a line is not complete yet. */
async function* linesOf({ file, from, to }: Part, signal: AbortSignal) {
  let rest = ''
  for (let at = from; at < to;) {
    signal.throwIfAborted()
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(partBytes),
      0,
      Math.min(partBytes, to - at),
      at,
    )
    if (bytesRead === 0) return
    at += bytesRead
    const lines = `${rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n')
    rest = lines.pop()!.slice(0, longestLine)
    yield { lines, bytes: bytesRead }
  }
}
