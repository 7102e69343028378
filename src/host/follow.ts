import { PassThrough } from 'node:stream'
import { drained } from './drained.ts'
import type { Run, RunOptions, RunResult } from './run.ts'

export interface FollowOptions extends Omit<RunOptions, 'onOutput' | 'maxBytes'> {
  readonly timeoutMs: number
  /** Longer lines are cut. Default 16 KiB. */
  readonly maxLineBytes?: number
  /** The maximum number of lines; one more ends the command and truncates its result. Default 1,000,000. */
  readonly maxLines?: number
}

/** A running command. */
export interface Followed {
  /** The lines of its standard output as they arrive; a slow reader slows it down. Leaving the loop ends the command. */
  readonly lines: AsyncIterable<string>
  /** Its exit status and standard error, once it has ended and its lines were read. */
  readonly result: Promise<RunResult>
}

/** Runs a command and yields its lines while it runs. */
export type Follow = (argv: readonly [string, ...string[]], options: FollowOptions) => Followed

/** Opens `follow` with the function that runs commands. */
export function openFollow(run: Run): Follow {
  return (argv, { maxLineBytes = 16 * 1024, maxLines = 1_000_000, signal, ...options }) => {
    const stopping = new AbortController()
    const output = new PassThrough()
    let isCut = false
    const onOutput = (chunk: Buffer) =>
      output.destroyed || output.write(chunk) ? undefined : drained(output)
    const signals = signal === undefined ? [stopping.signal] : [stopping.signal, signal]
    const ran = run(argv, { ...options, onOutput, signal: AbortSignal.any(signals) })
    const result = ran.then((each) => {
      output.end()
      return { ...each, isCut: each.isCut || isCut }
    })
    async function* lines() {
      let count = 0
      try {
        for await (const line of linesOf(output, maxLineBytes)) {
          isCut = ++count > maxLines
          if (isCut) return
          yield line
        }
      } finally {
        stopping.abort()
        output.destroy()
      }
    }
    return { lines: lines(), result }
  }
}

/** Splits a stream into lines; what exceeds the limit of a line is dropped as it arrives. */
async function* linesOf(output: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let begun: Buffer = Buffer.alloc(0)
  const add = (part: Buffer) => {
    const room = maxBytes - begun.length
    if (room > 0) begun = Buffer.concat([begun, part.subarray(0, room)])
  }
  for await (const chunk of output) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      yield begun.toString('utf8')
      begun = Buffer.alloc(0)
      from = end + 1
    }
    add(chunk.subarray(from))
  }
  if (begun.length > 0) yield begun.toString('utf8')
}
