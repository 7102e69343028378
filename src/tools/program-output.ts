import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { RunOptions, RunResult } from '../host/run.ts'

type Started = (options: Required<Pick<RunOptions, 'onOutput' | 'signal'>>) => Promise<RunResult>

/**
 * Returns the output of a program as a stream that fails with `failure` unless the program succeeds. It waits
 * for a slow reader; destroying it ends the program.
 */
export function outputOf(
  start: Started,
  failure: (result: RunResult) => Error,
  signal: AbortSignal,
): Readable {
  const stopping = new AbortController()
  const output = new PassThrough({ highWaterMark: 1024 * 1024 })
  output.on('close', () => stopping.abort())
  const onOutput = (chunk: Buffer) => (output.destroyed || output.write(chunk) ? undefined : drained(output))
  void start({ onOutput, signal: AbortSignal.any([signal, stopping.signal]) }).then((result) => {
    if (result.code === 0) output.end()
    else output.destroy(signal.aborted ? abortionOf(signal) : failure(result))
  })
  return output
}

/** Waits until a stream takes more, or is closed by a reader that stopped; no listener stays at the stream. */
async function drained(output: PassThrough): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const events = [once(output, 'drain', { signal }), once(output, 'close', { signal })]
  await Promise.race(events).catch(() => {})
  waiting.abort()
}

function abortionOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('cancelled')
}
