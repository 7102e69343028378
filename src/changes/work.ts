import type { AnyStepKind, Change, JobDraft, RowWrite } from '../core/change.ts'
import type { Store } from '../store/store.ts'

/** A step as it is stored: enough to tell after a restart how far it came, and to go back. */
export interface StoredStep {
  readonly kind: string
  readonly args: unknown
  readonly before?: unknown
  /** Set just before it acts. */
  readonly isActing?: boolean
}

/** What a change wants and what was before. */
export interface Work {
  readonly steps: readonly StoredStep[]
  readonly rows: readonly RowWrite[]
  readonly jobs: readonly JobDraft[]
}

/** The work of a change before anything has happened. */
export function workOf(change: Change): Work {
  return {
    steps: change.steps.map(({ kind, args }) => ({ kind: kind.name, args })),
    rows: change.rows,
    jobs: change.jobs,
  }
}

export const packWork = (store: Store, work: Work): string => store.seal(JSON.stringify(work))
export const unpackWork = (store: Store, packed: string): Work => JSON.parse(store.unseal(packed))

/** The same work with one step marked as acting, and what it saw before. */
export function markActing(work: Work, index: number, before: unknown): Work {
  return {
    ...work,
    steps: work.steps.map((step, at) => (at === index ? { ...step, before, isActing: true } : step)),
  }
}

export type StepKinds = ReadonlyMap<string, AnyStepKind>
