import type { Migration } from '../core/area.ts'

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'interrupted'

/** The states of a job that has ended. */
export const overStates: ReadonlySet<JobState> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted'])

export interface JobRow {
  readonly id: number
  readonly kind: string
  readonly title: string
  /** Sealed JSON; empty once the job has ended. */
  readonly input: string
  /** The change that it carries out; null for a plain job. */
  readonly change_id: number | null
  /** JSON of the locks that its change named when it was last decided: a hint of when it can start. */
  readonly locks: string | null
  /** The owner of the job; null for the panel's own. */
  readonly owner_id: number | null
  readonly state: JobState
  readonly percent: number | null
  readonly message: string
  readonly attempt: number
  readonly is_cancelling: number
  readonly run_after: string
  readonly lease_until: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  /** JSON. */
  readonly result: string | null
  readonly error: string | null
}

export interface JobEventRow {
  readonly job_id: number
  readonly seq: number
  readonly type: 'state' | 'progress' | 'output'
  readonly percent: number | null
  readonly message: string
  readonly created_at: string
}

/** When a kind of job is enqueued. */
export interface ScheduleRow {
  readonly id: number
  /** Unique; for schedules that the code declares, the kind of their job. */
  readonly name: string
  readonly kind: string
  /** Sealed JSON. */
  readonly input: string
  readonly title: string
  /** A cron expression in the time zone. */
  readonly cron: string
  readonly zone: string
  /** The user in whose name it runs; null for the panel itself. */
  readonly owner_id: number | null
  readonly is_enabled: number
  /** 1 if the code declares it. */
  readonly is_declared: number
  readonly last_run: string | null
  /** Null until it is computed. */
  readonly next_run: string | null
  /** The job of the last run, which has its outcome. */
  readonly last_job_id: number | null
}

declare module '../store/tables.ts' {
  interface Tables {
    readonly jobs: JobRow
    readonly job_events: JobEventRow
    readonly schedules: ScheduleRow
  }
}

const createJobs: Migration = {
  name: '202611210010-jobs',
  statements: [
    `create table jobs (
      id integer primary key, kind text not null, title text not null, input text not null, owner_id integer,
      state text not null, percent integer, message text not null, attempt integer not null, is_cancelling integer not null,
      run_after text not null, lease_until text, created_at text not null, started_at text, finished_at text, result text, error text
    )`,
    'create index jobs_by_state on jobs (state, run_after)',
    'create index jobs_by_owner on jobs (owner_id, id)',
    `create table job_events (
      job_id integer not null references jobs (id) on delete cascade, seq integer not null, type text not null,
      percent integer, message text not null, created_at text not null, primary key (job_id, seq)
    )`,
  ],
}

const addChanges: Migration = {
  name: '202611221300-jobs-carry-changes',
  statements: [
    'alter table jobs add column change_id integer',
    'alter table jobs add column locks text',
    "update jobs set input = '' where finished_at is not null",
  ],
}

const createSchedules: Migration = {
  name: '202611221720-schedules',
  statements: [
    `create table schedules (
      id integer primary key, name text not null unique, kind text not null, input text not null, title text not null,
      cron text not null, zone text not null, owner_id integer, is_enabled integer not null, is_declared integer not null,
      last_run text, next_run text, last_job_id integer
    )`,
  ],
}

export const jobMigrations: readonly Migration[] = [createJobs, addChanges, createSchedules]
