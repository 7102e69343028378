import { pause } from '../core/poll.ts'
import type { Problem } from '../core/problem.ts'
import { isDiskProblem } from './disk-failures.ts'

interface Retrying {
  readonly everyMs: number
  /** Once it ends, one last attempt is made. */
  readonly signal: AbortSignal
  /** Called at the first failure only, so that a disk that stays so does not fill the log. */
  readonly onRefused: (error: Problem) => void
}

/** Repeats a write while the disk refuses it, until it succeeds or the signal ends. Any other failure is thrown at once. */
export async function untilWritten<Value>(
  write: () => Promise<Value>,
  { everyMs, signal, onRefused }: Retrying,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!isDiskProblem(error) || signal.aborted) throw error
      if (attempt === 1) onRefused(error)
    }
    await pause(everyMs, signal)
  }
}
