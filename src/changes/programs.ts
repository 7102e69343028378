import type { Carrier } from './carrier.ts'
import type { StepKinds, Work } from './work.ts'

/** The programs that steps have started, found by the token in their environment. */
export interface Programs {
  /** Ends those of a step, by force if necessary. */
  end(token: string): Promise<void>
  /** Waits until those of a step have ended by themselves; passes on their output from its beginning. */
  await(token: string, signal: AbortSignal, onLine: (line: string) => void): Promise<void>
}

interface Stopping {
  readonly programs?: Programs
  /** Ends the waiting for programs; absent before the panel listens, when it waits for none. */
  readonly stop?: AbortSignal
}

interface CutWork {
  readonly changeId: number
  readonly work: Work
  /** The job that shows the output of the programs. */
  readonly carrier: Carrier | undefined
}

/** Ends or awaits the programs of a change that was cut off: a step is not checked while one of them runs. */
export async function settlePrograms(
  { programs, stop }: Stopping,
  kinds: StepKinds,
  { changeId, work, carrier }: CutWork,
): Promise<void> {
  const onLine = (line: string) => carrier?.output(carrier.blot(line))
  for (const [index, { kind, isActing }] of work.steps.entries()) {
    if (!isActing) continue
    const token = `${changeId}:${index}`
    const isAwaited = stop !== undefined && kinds.get(kind)?.orphans === 'await'
    await (isAwaited ? programs?.await(token, stop, onLine) : programs?.end(token))
  }
  await carrier?.flush()
}
