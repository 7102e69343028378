import type { RowWrite } from '../core/change.ts'
import { blotter } from '../core/secret.ts'
import type { WorkKind } from '../core/job.ts'
import { storedLocks } from '../core/lock.ts'
import type { EventWriter } from '../jobs/event-writer.ts'
import {
  type End,
  endOfJob,
  isRefusal,
  outOfTime,
  retryAt,
  stopping,
  type UntilStored,
} from '../jobs/perform.ts'
import { afterRestart, cancelled } from '../jobs/queue.ts'
import type { JobRow } from '../jobs/tables.ts'
import type { LeftWork } from './left-work.ts'

/** The end of a job as its change records it; `result` is absent if the reply contains a secret. */
export interface JobEnd extends Omit<End, 'result'> {
  readonly result?: unknown
}

/** The job that carries out a change. */
export interface Carrier {
  readonly jobId: number
  /** The change as it was queued. */
  readonly changeId: number
  /** What an interrupted turn left. */
  readonly left?: LeftWork | undefined
  /** The locks of the change at its last decision. */
  readonly locks: readonly string[]
  progress(percent: number | null, message: string): void
  output(line: string): void
  /** Replaces the secrets of the input in a text. */
  blot(text: string): string
  /** Stores the events so far; events that a full disk rejects are lost. */
  flush(): Promise<void>
  readonly untilStored: UntilStored
  /** Returns how the job is queued again after an undo or before its start; undefined if it has ended. */
  againAfter(error: unknown, hasBegun: boolean): JobEnd | undefined
  /** The write that ends the job, in the transaction that ends its change. */
  end(end: JobEnd): RowWrite
}

interface Carrying {
  readonly row: JobRow
  readonly changeId: number
  readonly kind: Pick<WorkKind, 'input' | 'attempts' | 'resumes'>
  readonly input: unknown
  readonly retryMs: number
  readonly left?: LeftWork | undefined
  readonly run: EventWriter & { readonly untilStored: UntilStored }
}

/** The panel was killed while the change acted. */
export const killed = new Error('cut off by a restart of the panel')

/** Binds a running job to its change. */
export function openCarrier({ row, changeId, kind, input, retryMs, left, run }: Carrying): Carrier {
  return {
    jobId: row.id,
    changeId,
    left,
    locks: storedLocks(row.locks),
    progress: run.progress,
    output: run.output,
    blot: blotter(kind.input, input),
    untilStored: run.untilStored,
    flush: () => run.flush().catch(() => {}),
    againAfter: (error, hasBegun) => {
      if (error === killed) return queuedOf(afterRestart(row, kind))
      if (error === stopping) return stoppedOf(row, kind, hasBegun)
      if (error === cancelled || error === outOfTime || isRefusal(error)) return undefined
      if (!hasBegun || row.attempt >= kind.attempts) return undefined
      return { state: 'queued', message: 'Will be tried again', runAfter: retryAt(row.attempt, retryMs) }
    },
    end: ({ result, ...end }) =>
      endOfJob(row.id, {
        ...end,
        ...(end.state === 'succeeded' && { percent: 100, result: JSON.stringify(result ?? null) }),
      }),
  }
}

const queuedOf = (end: End): JobEnd | undefined =>
  end.state === 'queued' ? { state: end.state, message: end.message } : undefined

/** A turn that has not begun does not count as an attempt. */
function stoppedOf(row: JobRow, kind: Carrying['kind'], hasBegun: boolean): JobEnd | undefined {
  if (hasBegun && !kind.resumes) return undefined
  const attempt = hasBegun ? row.attempt : row.attempt - 1
  return { state: 'queued', message: 'Resumes at the next start', attempt }
}

/** Computes the progress of a change from that of one of its steps. */
export function overallPercent(percent: number | null, index: number, steps: number): number | null {
  return percent === null ? null : (index * 100 + Math.min(100, Math.max(0, percent))) / steps
}
