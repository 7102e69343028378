import { StringDecoder } from 'node:string_decoder'
import type { Engine } from './engine.ts'
import { linesOf } from './lines.ts'

/** A line that a container printed. */
export interface PrintedLine {
  /** RFC 3339 in UTC, to the millisecond; null if the engine told none. */
  readonly time: string | null
  readonly stream: 'stdout' | 'stderr'
  readonly message: string
}

export interface LogWanted {
  /** The number of last lines. */
  readonly tail: number
  readonly isFollowing: boolean
  readonly sinceMs: number | undefined
  /** True for a container with a terminal, whose output the engine does not split. */
  readonly isTerminal: boolean
  readonly signal: AbortSignal
}

const maxLineBytes = 16 * 1024

/** Yields the lines that a container printed; leaving the loop ends the request. */
export async function* readLog(engine: Engine, id: string, wanted: LogWanted): AsyncGenerator<PrintedLine> {
  const { tail, isFollowing, sinceMs, isTerminal, signal } = wanted
  const query = new URLSearchParams({
    stdout: '1',
    stderr: '1',
    timestamps: '1',
    tail: String(tail),
    follow: isFollowing ? '1' : '0',
    ...(sinceMs !== undefined && { since: String(sinceMs / 1000) }),
  })
  const body = await engine.stream({ method: 'GET', path: `/containers/${id}/logs?${query}`, signal })
  if (isTerminal) {
    for await (const line of linesOf(body, maxLineBytes)) yield printed('stdout', line)
    return
  }
  yield* splitFrames(body)
}

const headBytes = 8

/** Splits the frames of the engine (stream, three zeros, length, content) into the lines of both streams. */
async function* splitFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<PrintedLine> {
  const begun = { stdout: '', stderr: '' }
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() } // a chunk may end within a character
  let rest = Buffer.alloc(0)
  let stream: 'stdout' | 'stderr' = 'stdout'
  let left = 0
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length > 0) {
      if (left === 0) {
        if (rest.length < headBytes) break
        stream = rest[0] === 2 ? 'stderr' : 'stdout'
        left = rest.readUInt32BE(4)
        rest = rest.subarray(headBytes)
        continue
      }
      const content = rest.subarray(0, left)
      rest = rest.subarray(content.length)
      left -= content.length
      const lines = (begun[stream] + decoders[stream].write(content)).split('\n')
      begun[stream] = (lines.pop() ?? '').slice(0, maxLineBytes)
      for (const line of lines) yield printed(stream, line)
    }
  }
  for (const each of ['stdout', 'stderr'] as const) if (begun[each] !== '') yield printed(each, begun[each])
}

function printed(stream: PrintedLine['stream'], line: string): PrintedLine {
  const [, time, message] = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s.exec(line) ?? []
  const at = time === undefined ? undefined : new Date(time)
  return {
    time: at === undefined || Number.isNaN(at.getTime()) ? null : at.toISOString(),
    stream,
    message: (message ?? line).replace(/\r$/, '').slice(0, maxLineBytes),
  }
}
