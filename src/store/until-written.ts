import { pause } from '../core/poll.ts'
import type { Problem } from '../core/problem.ts'
import { isDiskFull } from './full-disk.ts'

interface Retrying {
  readonly everyMs: number
  /** Once it ends, one last attempt is made. */
  readonly signal: AbortSignal
  /** Called at the first failure only, so that a disk that stays full does not fill the log. */
  readonly onFull: (error: Problem) => void
}

/** Repeats a write while the disk is full, until it succeeds or the signal ends. Any other failure is thrown at once. */
export async function untilWritten<Value>(
  write: () => Promise<Value>,
  { everyMs, signal, onFull }: Retrying,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isDiskFull(error) || signal.aborted) throw error
      if (attempt === 1) onFull(error)
    }
    await pause(everyMs, signal)
  }
}
