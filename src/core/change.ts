import type { Lock } from './lock.ts'

/** Whether the host stands as a step wants it, as it was before, or in between. */
export type StepState = 'wanted' | 'before' | 'other'

/** What becomes of one thing that is no file, such as an account, a record set or a container. */
export interface PlannedObject {
  readonly name: string
  /** Null where there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** What a step would do, for people who look before it runs. */
export interface StepPlan {
  readonly title: string
  /** What is made, replaced and removed, and how much of it: a sentence each. */
  readonly details?: readonly string[]
  readonly files?: readonly { readonly path: string; readonly diff: string }[]
  readonly objects?: readonly PlannedObject[]
  readonly commands?: readonly (readonly string[])[]
  readonly reloads?: readonly string[]
  /** Why the program would refuse it, in the program's words; absent when its checker takes it, or is not asked. */
  readonly refused?: string
  /** Why this step cannot be undone; absent when it can. */
  readonly irreversible?: string | undefined
}

/** What a running step is handed. */
export interface StepRun<Before, Live = unknown> {
  readonly before: Before
  /** Ends with the time limit, a cancel, or the stop of the panel; never because the caller has left. */
  readonly signal: AbortSignal
  /** What cannot be stored with the change, such as the stream of an upload. */
  readonly live: Live
  /** Names this step of this change; what it creates can be found again by it. */
  readonly token: string
  /** Reports how far this step is, where a job carries the change: percent from 0 to 100, or null when unknown. */
  progress(percent: number | null, message: string): void
  /** One line of output, as the program printed it. */
  output(line: string): void
}

/**
 * A kind of step on the host. `Args` and `Before` are plain JSON: they are stored (encrypted) before the step acts, so that
 * a panel that was killed can tell at its next start how far it came, and go back.
 */
export interface StepKind<Args = unknown, Before = unknown, Result = unknown, Live = unknown> {
  /** `<tool>.<verb>`, stable: stored changes name it. */
  readonly name: string
  plan(args: Args): Promise<StepPlan> | StepPlan
  /**
   * What only a look at the host tells of a plan. Asked for when people look before it runs, not of a change that failed; throws what would be
   * refused. What is handed beside the arguments is looked at only where it is at hand: a stream is nobody's to read here.
   */
  preview?(args: Args, live: Live): Promise<Partial<StepPlan>>
  /** Reads what `undo` and `check` need. Runs just before `act`. */
  observe(args: Args): Promise<Before>
  act(args: Args, run: StepRun<Before, Live>): Promise<Result>
  /** Brings back what `observe` saw, wherever `act` stopped; harmless when called twice. */
  undo(args: Args, before: Before): Promise<void>
  check(args: Args, before: Before): Promise<StepState>
  /** Completes what a kill during `act` must not leave half done. Called at the next start, once, before any `check` of the change. */
  recover?(args: Args, before: Before): Promise<void>
  /** Reads from the host what `act` returned, after a kill before it was stored; undefined where it is not there. */
  again?(args: Args, before: Before): Promise<Result | undefined>
  /** Whether programs of the step that outlived a killed panel are ended or awaited. Default: ended. */
  readonly orphans?: 'end' | 'await'
}

/** A kind of step whose arguments are known to itself alone. */
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

/** A write to the panel's own store, as data: it survives a restart between acting and settling. */
export type RowWrite =
  | { readonly write: 'insert'; readonly table: string; readonly values: Readonly<Record<string, Scalar>> }
  | {
      readonly write: 'update'
      readonly table: string
      readonly where: Readonly<Record<string, Scalar>>
      readonly set: Readonly<Record<string, Scalar>>
    }
  | { readonly write: 'delete'; readonly table: string; readonly where: Readonly<Record<string, Scalar>> }

/** A job to enqueue in the transaction that settles the change. */
export interface JobDraft {
  readonly kind: string
  readonly input: unknown
  readonly ownerId: number | null
  readonly title: string
  /** What the job would do, in a sentence each; throws what it would fail with, as far as that can be known at once. Asked for when people look, never stored. */
  readonly preview?: () => Promise<readonly string[]>
}

/** The job a settled change enqueued, as its reply may name it. */
export interface Enqueued<Results = readonly unknown[]> {
  readonly jobIds: readonly number[]
  /** What each step returned, in order. */
  readonly results: Results
}

type ResultsOf<Steps extends readonly Step[]> = {
  readonly [At in keyof Steps]: Steps[At] extends Step<infer Result> ? Result : never
}

/** What a changing verb decides: nothing has happened yet. */
export interface Change<Reply = unknown> {
  readonly summary: string
  /** What no other change may hold at the same time, such as `userLock(email)`. Decided again when one had to be waited for. */
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
  readonly jobs: readonly JobDraft[]
  readonly reply: Reply | ((done: Enqueued) => Reply)
}

interface ChangeDraft<Reply, Steps extends readonly Step[]> {
  readonly summary: string
  readonly locks?: readonly Lock[]
  readonly steps?: Steps
  readonly rows?: readonly RowWrite[]
  readonly jobs?: readonly JobDraft[]
  readonly reply: Reply | ((done: Enqueued<ResultsOf<Steps>>) => Reply)
}

/** Makes a Change from what it has; the rest is empty. */
export function change<Reply, const Steps extends readonly Step[] = readonly Step[]>(
  draft: ChangeDraft<Reply, Steps>,
): Change<Reply> {
  const { reply, ...rest } = draft
  return { locks: [], steps: [], rows: [], jobs: [], ...rest, reply: reply as Change<Reply>['reply'] } // the executor hands the results in the steps' order
}
