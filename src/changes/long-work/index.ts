import type { JobDraft, RowWrite } from '../../core/change.ts'
import type { WorkEvent, StreamEvent } from '../../core/reply.ts'
import type { BoundKind } from '../../jobs/queue.ts'
import { scheduledWork } from '../follow-ups.ts'
import type { DescribedChange } from '../plan.ts'
import type { Recovery } from '../recover.ts'
import type { StepKinds } from '../work.ts'
import { cancelQueued } from './cancel.ts'
import { type Ended, openEnds } from './ends.ts'
import { type Asked, openOrders, type Ordered } from './order.ts'
import { takeOverWork } from './take-over.ts'
import { carryTurn } from './turn.ts'
import type { BoundWork, CallerOf, Working, WorkParts } from './working.ts'

export type { Asked } from './order.ts'
export type { CallerOf } from './working.ts'

/** Changes that stored jobs carry out. */
export interface LongWork {
  /** Registers the kinds; call it before the first request. */
  register(kinds: readonly BoundWork[], callerOf: CallerOf): void
  plan(asked: Asked): Promise<DescribedChange>
  /** Decides, and stores the change with its job; a repeat with the same key joins the existing work. */
  ask(asked: Asked): Promise<Ordered>
  /** Waits for the end of the work. The signal ends the waiting alone. */
  ended(jobId: number, signal: AbortSignal): Promise<Ended>
  /** The events after `afterSeq`, later ones as they come, and the end. */
  follow(
    jobId: number,
    afterSeq: number,
    toEvent: (event: WorkEvent) => object | undefined,
    signal: AbortSignal,
  ): AsyncIterable<StreamEvent<unknown>>
  /** Ends queued work; false if it is no longer queued. */
  cancelQueued(jobId: number): Promise<boolean>
  isFree(names: readonly string[]): boolean
  /** The writes that queue work of a schedule; undefined for a plain job. */
  queuedWork(draft: JobDraft, jobId: number): readonly RowWrite[] | undefined
  /** The kinds in the form that the queue of jobs runs. */
  readonly bound: readonly BoundKind[]
  /** Takes over the work that a killed panel left: its locks at once, its end in the background. */
  recover(steps: StepKinds): Promise<{ readonly settled: Promise<readonly Recovery[]> }>
  /** Ends the waiting of recovery; the next start continues it. */
  close(): Promise<void>
}

/** Opens long work on the executor and the queue of jobs. */
export function openLongWork({ retryMs = 10_000, programs, ...parts }: WorkParts): LongWork {
  const kinds = new Map<string, BoundWork>()
  const halt = new AbortController()
  let stepKinds: StepKinds = new Map()
  let findCaller: CallerOf = async () => undefined
  let recovery: Promise<readonly Recovery[]> = Promise.resolve([])
  const working: Working = {
    ...parts,
    retryMs,
    programs,
    ends: openEnds(parts.store),
    stop: halt.signal,
    stepKinds: () => stepKinds,
    kindOf: (name) => kinds.get(name),
    decide: async ({ kind, context }, request) => kind.decide({ ...context, ...request, now: new Date() }),
    callerOf: (row) => findCaller(row),
  }
  const { locks, unsettled } = parts.executor
  locks.onRelease(() => void parts.jobs.pick())
  const orders = openOrders(working)
  return {
    register: (bound, callerOf) => {
      for (const each of bound) kinds.set(each.kind.kind, each)
      findCaller = callerOf
    },
    ...orders,
    ended: working.ends.of,
    follow: (jobId, afterSeq, toEvent, signal) => follow(working, { jobId, afterSeq, toEvent, signal }),
    cancelQueued: (jobId) => cancelQueued(working, jobId),
    isFree: (names) => locks.isFree(names) && !unsettled.holds(names),
    queuedWork: (draft, jobId) =>
      kinds.has(draft.kind) ? scheduledWork(parts.store, draft, { jobId, now: new Date() }) : undefined,
    get bound() {
      return [...kinds.values()].map((bound) => ({
        kind: bound.kind,
        carry: (run: Parameters<typeof carryTurn>[2]) => carryTurn(working, bound, run),
      }))
    },
    recover: async (steps) => {
      stepKinds = steps
      const settle = await takeOverWork(working, steps)
      recovery = settle()
      return { settled: recovery }
    },
    close: async () => {
      halt.abort(new Error('the panel is stopping'))
      await recovery.catch(() => {})
    },
  }
}

interface Following {
  readonly jobId: number
  readonly afterSeq: number
  readonly toEvent: (event: WorkEvent) => object | undefined
  readonly signal: AbortSignal
}

async function* follow(
  { jobs, ends }: Working,
  { jobId, afterSeq, toEvent, signal }: Following,
): AsyncGenerator<StreamEvent<unknown>> {
  const ended = ends.of(jobId, signal)
  ended.catch(() => {}) // handled below, unless the reader leaves before
  for await (const { seq, type, percent, message } of jobs.feed.follow(jobId, afterSeq, signal)) {
    const value = toEvent({ type, percent, message })
    if (value !== undefined) yield { id: seq, value }
  }
  if (signal.aborted) return
  const end = await ended
  const value = toEvent(
    'error' in end
      ? { type: 'failed', outcome: end.outcome, message: end.error.message }
      : { type: 'done', reply: end.reply },
  )
  if (value !== undefined) yield { value }
}
