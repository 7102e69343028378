import type { AnyStepKind, Change, JobDraft, RowWrite } from '../core/change.ts'
import type { Store } from '../store/store.ts'
import type { WrittenRow } from './undo-by-id/written-rows.ts'
import { fillGaps, type Gap, takeGaps } from '../core/gaps.ts'

/** A step as stored: enough to find out after a restart how far it got, and to undo it. */
export interface StoredStep {
  readonly kind: string
  readonly args: unknown
  readonly before?: unknown
  /** Set just before it acts. */
  readonly isActing?: boolean
  /** Its result, if another part of the change uses it. */
  readonly result?: unknown
}

/** The wanted and the former state of a change. */
export interface Work {
  readonly steps: readonly StoredStep[]
  readonly rows: readonly RowWrite[]
  readonly jobs: readonly JobDraft[]
  /** Absent if a function makes it, or it contains a secret. */
  readonly reply?: unknown
  /** The rows that the change wrote, once it is settled. */
  readonly written?: readonly WrittenRow[]
  /** The gaps that results of steps are filled into. */
  readonly gaps?: readonly Gap[]
}

/** The work of a change before anything has happened. */
export function workOf(change: Change, keepsReply = false): Work {
  const steps = change.steps.map(({ kind, args }, index) => {
    const taken = takeGaps(args, change.steps.slice(0, index), ['steps', index, 'args'])
    return { step: { kind: kind.name, args: taken.value }, gaps: taken.gaps }
  })
  const rows = takeGaps(change.rows, change.steps, ['rows'])
  const jobs = takeGaps(change.jobs, change.steps, ['jobs'])
  const hasReply = keepsReply && typeof change.reply !== 'function'
  const reply = takeGaps(hasReply ? change.reply : undefined, change.steps, ['reply'])
  const gaps = [...steps.flatMap((each) => each.gaps), ...rows.gaps, ...jobs.gaps, ...reply.gaps]
  return {
    steps: steps.map(({ step }) => step),
    rows: rows.value,
    jobs: jobs.value,
    ...(hasReply && { reply: reply.value }),
    ...(gaps.length > 0 && { gaps }),
  }
}

/** True if a part of the change uses the result of a step. */
export const usesResult = ({ gaps = [] }: Work, index: number): boolean =>
  gaps.some(({ step }) => step === index)

/** The kinds of the steps of a change, by name. */
export const kindsOf = ({ steps }: Change): StepKinds => new Map(steps.map(({ kind }) => [kind.name, kind]))

/** The work without the results that no gap refers to. */
export const forStore = (work: Work): Work => ({
  ...work,
  steps: work.steps.map(({ result, ...step }, index) =>
    usesResult(work, index) ? { ...step, result } : step,
  ),
})

/** Returns the work with the arguments of one step filled in from earlier results. */
export function fillStep(work: Work, index: number): Work {
  return fill(work, ({ at }) => at[0] === 'steps' && at[1] === index)
}

/** Returns the work with rows, jobs and reply filled in. */
export function fillRest(work: Work): Work {
  return fill(work, ({ at }) => at[0] !== 'steps')
}

function fill(work: Work, isFilled: (gap: Gap) => boolean): Work {
  const results = work.steps.map(({ result }) => result)
  return fillGaps(work, (work.gaps ?? []).filter(isFilled), results)
}

export const packWork = (store: Store, work: Work): string => store.seal(JSON.stringify(work))
export const unpackWork = (store: Store, packed: string): Work => JSON.parse(store.unseal(packed))

/** Returns the work with one step marked as acting, and its former state. */
export const markActing = (work: Work, index: number, before: unknown): Work =>
  withStep(work, index, { before, isActing: true })

/** Returns the work with the result of one step. */
export const markReturned = (work: Work, index: number, result: unknown): Work =>
  withStep(work, index, { result })

function withStep(work: Work, index: number, more: Partial<StoredStep>): Work {
  return { ...work, steps: work.steps.map((step, at) => (at === index ? { ...step, ...more } : step)) }
}

export type StepKinds = ReadonlyMap<string, AnyStepKind>
