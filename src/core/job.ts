import type { Static, TSchema } from 'typebox'
import type { Caller } from './caller.ts'
import type { Change } from './change.ts'
import type { Log } from './log.ts'
import type { Problem, ProblemKind } from './problem.ts'

/** The context of a running job. */
export interface JobRun<Input> {
  readonly input: Input
  readonly jobId: number
  /** Ends when the job is cancelled, its time is up, or the panel stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** Reports progress: a percentage from 0 to 100, or null when unknown, and the current activity. */
  progress(percent: number | null, message: string): Promise<void>
  /** One line of output, as the tool printed it. */
  output(line: string): Promise<void>
}

/** Background work that survives a restart of the panel. */
export interface JobKind<Context = any, Input = any> {
  /** `<area>.<verb>`, stable: stored jobs name it. */
  readonly kind: string
  readonly input: TSchema
  readonly timeoutMs: number
  /** The maximum number of attempts. */
  readonly attempts: number
  /**
   * True if it can be run again from the start after a crash of the panel; otherwise it is reported as
   * interrupted.
   */
  readonly resumes: boolean
  /** Its schedule, as a cron expression in UTC. */
  readonly schedule?: string
  /**
   * Kinds of one lane share two workers, so that work started by hosting users never blocks the other kinds.
   */
  readonly lane?: 'network' | 'files'
  readonly run: (job: JobRun<Input> & Context) => Promise<unknown>
}

interface JobKindDraft<Context, Schema extends TSchema> extends Omit<
  JobKind<Context, Static<Schema>>,
  'input'
> {
  readonly input: Schema
}

/** Declares a kind of job of an area whose runs receive `Context`. */
export type DeclareJob<Context> = <Schema extends TSchema>(
  draft: JobKindDraft<Context, Schema>,
) => JobKind<Context>

/** The context of a decision on long work. Everything else that it needs is in the input. */
export interface WorkRequest<Input> {
  readonly input: Input
  /** The caller in their current state, loaded again at the job's turn. Null if nobody is signed in. */
  readonly caller: Caller | null
  /** Undefined at the request, when there is no job yet. */
  readonly jobId: number | undefined
  readonly now: Date
  readonly signal: AbortSignal
}

/** Work that can outlive a request: a change that a stored job carries out. */
export interface WorkKind<Context = any, Input = any, Value = any> {
  /** `<area>.<verb>`, stable: stored jobs name it. */
  readonly kind: string
  /** The input is plain JSON with all that the decision needs; it is sealed, and dropped at the end. */
  readonly input: TSchema
  readonly reply: TSchema
  readonly timeoutMs: number
  /** The maximum number of attempts if it fails with a bug; each failed attempt is undone. */
  readonly attempts: number
  /** True if it is queued again after the panel stopped or died; otherwise it ends as interrupted. */
  readonly resumes: boolean
  readonly lane?: 'network' | 'files'
  /** The refusal while work of this kind that names one of the same locks is queued or running. */
  readonly single?: ProblemKind
  /** The most of this kind that may be queued or running for one caller, and the refusal of a further one. */
  readonly most?: { readonly perCaller: number; refusal(count: number): Problem }
  /** Called at the request and again at the job's turn, under the locks. */
  decide(request: WorkRequest<Input> & Context): Promise<Change<Value>> | Change<Value>
}

interface WorkKindDraft<Context, Input extends TSchema, Value extends TSchema> extends Omit<
  WorkKind<Context, Static<Input>, Static<Value>>,
  'input' | 'reply'
> {
  readonly input: Input
  readonly reply: Value
}

/** Declares a kind of long work of an area whose decisions receive `Context`. */
export type DeclareWork<Context> = <Input extends TSchema, Value extends TSchema>(
  draft: WorkKindDraft<Context, Input, Value>,
) => WorkKind<Context, Static<Input>, Static<Value>>

/** The entries of an area's `jobs`. */
export type AnyJobKind = JobKind | WorkKind

/** True if a kind is long work. */
export const isWork = (kind: AnyJobKind): kind is WorkKind => 'decide' in kind
