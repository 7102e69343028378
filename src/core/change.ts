import type { Lock } from './lock.ts'
import type { Problem } from './problem.ts'

/** The state of the host relative to a step: as it wants it, as it was before, or in between. */
export type StepState = 'wanted' | 'before' | 'other'

/** The effect on one object that is not a file, such as an account, a record set or a container. */
export interface PlannedObject {
  readonly name: string
  /** Null if there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** The preview of a step. */
export interface StepPlan {
  readonly title: string
  /** The objects that are created, replaced and removed, and their number or size: a sentence each. */
  readonly details?: readonly string[]
  readonly files?: readonly { readonly path: string; readonly diff: string }[]
  readonly objects?: readonly PlannedObject[]
  readonly commands?: readonly (readonly string[])[]
  readonly reloads?: readonly string[]
  /** The program's message if it would reject the result; absent if its checker accepts it, or is not run. */
  readonly refused?: string
  /** The files whose manual edits the step refuses to lose; `overwrite` replaces them. */
  readonly edited_by_hand?: readonly string[]
  /** The reason why this step cannot be undone; absent if it can. */
  readonly irreversible?: string | undefined
}

/** The files and objects that a step has changed. */
export type Changed = Pick<StepPlan, 'files' | 'objects'>

/** The context of a running step. */
export interface StepRun<Before, Live = unknown> {
  readonly before: Before
  /** True if the executor read `before` just now, under the locks of this change; an older one may be outdated. */
  readonly isJustObserved: boolean
  /**
   * Ends with the time limit, a cancel, or the stop of the panel; never because the caller has disconnected.
   */
  readonly signal: AbortSignal
  /** Values that cannot be stored with the change, such as the stream of an upload. */
  readonly live: Live
  /** Identifies this step of this change, so that its results on the host can be found again. */
  readonly token: string
  /**
   * Reports the progress of this step if a job carries the change: percent from 0 to 100, or null when
   * unknown.
   */
  progress(percent: number | null, message: string): void
  /** One line of output, as the program printed it. */
  output(line: string): void
}

/**
 * A kind of step on the host. `Args` and `Before` are plain JSON: they are stored (encrypted) before the step
 * acts, so that a panel that was killed can determine its progress at the next start, and undo it.
 */
export interface StepKind<Args = unknown, Before = unknown, Result = unknown, Live = unknown> {
  /** `<tool>.<verb>`, stable: stored changes name it. */
  readonly name: string
  plan(args: Args): Promise<StepPlan> | StepPlan
  /**
   * Returns the parts of a plan that require reading the host. Called for previews only, not for a change
   * that failed; throws what the step would refuse. A stream in `live` must not be read here.
   */
  preview?(args: Args, live: Live): Promise<Partial<StepPlan>>
  /**
   * Returns the state that a plan is made from, where it shows only a part of that, such as the text of a whole file.
   * It is compared with that of a later plan, and shown to nobody.
   */
  basis?(args: Args): Promise<string>
  /** Shows what the step has changed since `before`, without reading the host and without secrets. */
  changed?(args: Args, before: Before): Changed
  /** Reads the state that `undo` and `check` need. Runs just before `act`. */
  observe(args: Args): Promise<Before>
  act(args: Args, run: StepRun<Before, Live>): Promise<Result>
  /** Restores the state that `observe` read, wherever `act` stopped; safe to call twice. */
  undo(args: Args, before: Before): Promise<void>
  check(args: Args, before: Before): Promise<StepState>
  /**
   * Completes work that a kill during `act` must not leave half done. Called once at the next start, before
   * any `check` of the change.
   */
  recover?(args: Args, before: Before): Promise<void>
  /**
   * Reads the result of `act` from the host, after a kill before it was stored; undefined if it is not there.
   */
  again?(args: Args, before: Before): Promise<Result | undefined>
  /**
   * Set if `act`, called again with the same arguments, continues what an interrupted call left. If the work
   * is queued again, the step is then not undone.
   */
  readonly continues?: true
  /**
   * A program, as an argument list without secrets, that restores the former state without the panel. It may
   * run before `act`, during it, and before or after `undo`. Every step of a provisional change has it.
   */
  armed?(args: Args, before: Before): readonly [string, ...string[]]
  /** The treatment of the step's programs that outlived a killed panel. Default: ended. */
  readonly orphans?: 'end' | 'await'
  /**
   * The reason why a settled change with this step is not undone by id, as the end of a sentence; absent if
   * `undo` restores the former state at any later time.
   */
  readonly notUndone?: string | ((args: Args) => string | undefined)
}

/** A kind of step whose argument types only the step itself knows. */
export type AnyStepKind = StepKind<any, any, any, any>

/** One step of a change: a kind and its arguments. */
export interface Step<Result = unknown> {
  readonly kind: StepKind<any, any, Result, any>
  readonly args: unknown
  readonly live?: unknown
}

/** Makes a step of a kind, with its arguments checked by the kind's type. */
export function step<Args, Before, Result, Live>(
  kind: StepKind<Args, Before, Result, Live>,
  args: Args,
  live?: Live,
): Step<Result> {
  return { kind, args, live }
}

export type Scalar = string | number | null

/** How the writes of a table are undone by id; each reason is the end of a sentence. */
export interface RowUndo {
  /** The columns that identify a row. */
  readonly key: readonly string[]
  /** The reason why such a write makes the change not undoable. */
  readonly insert?: string
  readonly delete?: string
  /** The reason for an update, by the column that it changes. */
  readonly columns?: Readonly<Record<string, string>>
  /** The reason why the rows stay as they are, while the rest of the change is undone. */
  readonly left?: string
  /** Columns that the panel writes outside changes: a difference there is no conflict. */
  readonly unchecked?: readonly string[]
}

/** A write to the panel's own store, as data: it survives a restart between acting and settling. */
export type RowWrite = (
  | { readonly write: 'insert'; readonly table: string; readonly values: Readonly<Record<string, Scalar>> }
  | {
      readonly write: 'update'
      readonly table: string
      readonly where: Readonly<Record<string, Scalar>>
      readonly set: Readonly<Record<string, Scalar>>
    }
  | {
      readonly write: 'delete'
      readonly table: string
      readonly where: Readonly<Record<string, Scalar>>
      /** Rows with these values stay. */
      readonly except?: Readonly<Record<string, Scalar>>
    }
) & {
  /** Absent if the table does not declare it: then a change with this write is not undone by id. */
  readonly undo?: RowUndo
}

/** A job to enqueue in the transaction that settles the change. */
export interface JobDraft {
  readonly kind: string
  readonly input: unknown
  readonly ownerId: number | null
  readonly title: string
  /**
   * Returns the effects of the job, in a sentence each; throws the failures that can be predicted. Called for
   * previews only, never stored.
   */
  readonly preview?: () => Promise<readonly string[]>
}

/** The time within which a provisional change must be confirmed. */
export interface Confirmation {
  readonly change_id: number
  readonly confirm_before: string
}

/** The job that a settled change enqueued, as its reply may name it. */
export interface Enqueued<Results = readonly unknown[]> {
  readonly jobIds: readonly number[]
  /** Absent if the change is not provisional. */
  readonly confirmation?: Confirmation
  /** The result of each step, in order. */
  readonly results: Results
}

type ResultsOf<Steps extends readonly Step[]> = {
  readonly [At in keyof Steps]: Steps[At] extends Step<infer Result> ? Result : never
}

/** The decision of a changing verb: nothing has happened yet. */
export interface Change<Reply = unknown> {
  readonly summary: string
  /**
   * The locks of the change, such as `userLock(email)`. It is decided again after waiting for one of them.
   */
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
  readonly jobs: readonly JobDraft[]
  /** The effects that no step or job shows, in a sentence each; for previews only, never stored. */
  readonly details?: readonly string[]
  /** The seconds within which the change must be confirmed; otherwise it is undone, even without the panel. */
  readonly provisional?: number
  /** False for the results of steps whose success gets no activity entry, as another entry tells of it. */
  readonly isRecorded?: (results: readonly any[]) => boolean
  readonly reply: Reply | ((done: Enqueued) => Reply)
  /** Thrown instead of the reply once the rows are written, and instead of a plan. */
  readonly refusal?: Problem
}

interface ChangeDraft<Reply, Steps extends readonly Step[]> {
  readonly summary: string
  readonly locks?: readonly Lock[]
  readonly steps?: Steps
  readonly rows?: readonly RowWrite[]
  readonly jobs?: readonly JobDraft[]
  readonly details?: readonly string[]
  readonly provisional?: number
  readonly isRecorded?: (results: ResultsOf<Steps>) => boolean
  readonly reply: Reply | ((done: Enqueued<ResultsOf<Steps>>) => Reply)
}

/** Creates a Change from the given parts; the others are empty. */
export function change<Reply, const Steps extends readonly Step[] = readonly Step[]>(
  draft: ChangeDraft<Reply, Steps>,
): Change<Reply> {
  const { reply, isRecorded, ...rest } = draft
  // the executor passes the results in the steps' order
  return {
    locks: [],
    steps: [],
    rows: [],
    jobs: [],
    ...rest,
    ...(isRecorded && { isRecorded: isRecorded as Change['isRecorded'] & {} }),
    reply: reply as Change<Reply>['reply'],
  }
}

/** Creates the Change of a request that is refused and still has an effect, such as the end of a stolen session. */
export function refusedChange(
  draft: Pick<Change, 'summary' | 'locks' | 'rows'>,
  refusal: Problem,
): Change<never> {
  return { steps: [], jobs: [], ...draft, reply: undefined as never, refusal }
}
