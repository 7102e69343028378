import { PassThrough, type Readable } from 'node:stream'
import { drained } from '../host/drained.ts'
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

function abortionOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('cancelled')
}
