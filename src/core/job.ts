import type { Static, TSchema } from 'typebox'
import type { Log } from './endpoint.ts'

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
  /** True if it can be run again from the start after a crash of the panel; otherwise it is reported as interrupted. */
  readonly resumes: boolean
  /** Its schedule, as a cron expression in UTC. */
  readonly schedule?: string
  /** Kinds of one lane share two workers, so that work started by hosting users never blocks the other kinds. */
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
