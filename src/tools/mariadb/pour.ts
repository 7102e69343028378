import { drained } from '../../host/drained.ts'
import type { Run, RunResult } from '../../host/run.ts'
import { withoutDefiners } from './definers.ts'

type Argv = readonly [string, ...string[]]

interface PourOptions {
  readonly signal: AbortSignal
  /** Receives the size of what was dumped so far. */
  readonly onSize: (mebibytes: number) => void
}

/** Dumps with the first program what the second one loads, without the definers; a program that fails ends the other. */
export type Pour = (argvs: readonly [Argv, Argv], options: PourOptions) => Promise<readonly RunResult[]>

const timeoutMs = 12 * 3_600_000
const mebibyte = 1024 * 1024
const reportedBytes = 16 * mebibyte

/** Opens `pour` with the function that runs commands. */
export function openPour(run: Run): Pour {
  return ([dumper, loader], { signal, onSize }) => {
    const stopping = new AbortController()
    const limits = { timeoutMs, signal: AbortSignal.any([signal, stopping.signal]) }
    const dump = withoutDefiners()
    dump.on('error', () => {}) // it is destroyed with a program, whose message tells why
    let [size, reported] = [0, 0]
    const onOutput = (chunk: Buffer) => {
      size += chunk.length
      if (size - reported >= reportedBytes) onSize(Math.round((reported = size) / mebibyte))
      return dump.destroyed || dump.write(chunk) ? undefined : drained(dump)
    }
    const ended = (result: RunResult): RunResult => {
      if (result.code !== 0) stopping.abort()
      return result
    }
    const dumping = run(dumper, { ...limits, onOutput }).then((result) => {
      if (result.code === 0) dump.end()
      return ended(result)
    })
    return Promise.all([dumping, run(loader, { ...limits, input: dump }).then(ended)])
  }
}
