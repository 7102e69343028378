import type { Static, TSchema } from 'typebox'
import type { Log } from './endpoint.ts'

/** What a running job is handed. */
export interface JobRun<Input> {
  readonly input: Input
  readonly jobId: number
  /** Ends when the job is cancelled, its time is up, or the panel stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** Tells how far it is: percent from 0 to 100 or null when unknown, and what is being done. */
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
  /** How often it may be tried in all. */
  readonly attempts: number
  /** Whether it can be run again from the start after the panel died; otherwise it is reported as interrupted. */
  readonly resumes: boolean
  /** When it runs by itself, as a cron expression in UTC. */
  readonly schedule?: string
  /** Kinds of one lane share two workers, so that work that hosting users start never keeps the others all to itself. */
  readonly lane?: 'network' | 'files'
  readonly run: (job: JobRun<Input> & Context) => Promise<unknown>
}

interface JobKindDraft<Context, Schema extends TSchema> extends Omit<
  JobKind<Context, Static<Schema>>,
  'input'
> {
  readonly input: Schema
}

/** Declares a kind of job of an area whose runs are handed `Context`. */
export type DeclareJob<Context> = <Schema extends TSchema>(
  draft: JobKindDraft<Context, Schema>,
) => JobKind<Context>
