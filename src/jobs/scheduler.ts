import type { JobDraft, RowWrite } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import type { Tx } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import { nextRun } from './schedules.ts'
import type { ScheduleRow } from './tables.ts'

/** The longest time until the scheduler looks at the clock again: it may have been set meanwhile. */
const longestWaitMs = 30_000

interface Scheduling {
  readonly store: Store
  readonly log: Log
  readonly now: () => Date
  /** Returns the writes that enqueue a job, with its change if it is long work. */
  readonly queue: (draft: JobDraft, id: number) => readonly RowWrite[]
}

/** Enqueues the work of schedules when it is due. */
export interface Scheduler {
  /** Enqueues what is due, and waits for the next run. */
  run(): Promise<void>
  stop(): Promise<void>
}

/** Opens the scheduler; nothing is enqueued until `run`. */
export function openScheduler(scheduling: Scheduling): Scheduler {
  const { store, log, now } = scheduling
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let running = Promise.resolve()
  const failed = (error: unknown) => log.error({ err: error }, 'running the schedules failed')
  const runDue = async () => {
    clearTimeout(timer)
    if (isStopped) return
    const next = await enqueueDue(scheduling, now())
    if (isStopped) return
    const waitMs = next === undefined ? longestWaitMs : Date.parse(next) - now().getTime()
    timer = setTimeout(() => void run(), Math.min(Math.max(waitMs, 10), longestWaitMs)).unref()
  }
  const again = (error: unknown) => {
    failed(error)
    if (!isStopped) timer = setTimeout(() => void run(), longestWaitMs).unref()
  }
  const run = () => (running = running.then(runDue).catch(again))
  store.onWritten(['schedules'], () => void run())
  return {
    run,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Enqueues the work of the schedules that are due; returns the time of the next run. */
async function enqueueDue(scheduling: Scheduling, now: Date): Promise<string | undefined> {
  const rows = await scheduling.store.db
    .selectFrom('schedules')
    .selectAll()
    .where('is_enabled', '=', 1)
    .orderBy('id')
    .execute()
  const runs: (string | null)[] = []
  for (const row of rows) runs.push(await enqueueIfDue(scheduling, row, now))
  return runs.flatMap((at) => at ?? []).toSorted()[0]
}

/**
 * Runs that were missed are made up for by a single one. If the clock was set back, the next run is computed
 * again: it would wait for a time that may be years ahead.
 */
async function enqueueIfDue(scheduling: Scheduling, row: ScheduleRow, now: Date): Promise<string | null> {
  const following = nextRun(row, now)
  const planned = row.next_run
  if (planned !== null && planned <= now.toISOString()) await enqueue(scheduling, row, { now, following })
  else if (planned === null || (following !== null && planned > following))
    await setRow(scheduling.store, row, { next_run: following })
  return following
}

interface Run {
  readonly now: Date
  readonly following: string | null
}

/** Enqueues the work, unless the previous one still waits or runs. */
async function enqueue(
  { store, queue }: Scheduling,
  row: ScheduleRow,
  { now, following }: Run,
): Promise<void> {
  const id = store.nextId('jobs')
  const input: unknown = JSON.parse(store.unseal(row.input))
  const draft = {
    kind: row.kind,
    input,
    ownerId: row.owner_id,
    title: row.title,
  }
  const writes = queue(draft, id)
  await store.transaction(async (tx) => {
    const isBusy = await isUnfinished(tx, row.last_job_id)
    const set = isBusy ? {} : { last_run: now.toISOString(), last_job_id: id }
    const { numUpdatedRows } = await tx
      .updateTable('schedules')
      .set({ next_run: following, ...set })
      .where('id', '=', row.id)
      .where('is_enabled', '=', 1)
      .where('next_run', '=', row.next_run)
      .executeTakeFirst()
    if (!isBusy && numUpdatedRows > 0n) await store.write(tx, writes) // it was changed meanwhile otherwise
  })
}

async function isUnfinished(tx: Tx, jobId: number | null): Promise<boolean> {
  if (jobId === null) return false
  const job = await tx.selectFrom('jobs').select('state').where('id', '=', jobId).executeTakeFirst()
  return job?.state === 'queued' || job?.state === 'running'
}

/** Writes into a schedule, unless it was changed since it was read. */
async function setRow(
  store: Store,
  { id, cron, next_run }: ScheduleRow,
  set: Partial<ScheduleRow>,
): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('schedules')
      .set(set)
      .where('id', '=', id)
      .where('cron', '=', cron)
      .where('next_run', 'is not distinct from', next_run)
      .execute(),
  )
}
