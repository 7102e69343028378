import Type from 'typebox'
import type { WorkKind } from '../../core/job.ts'
import { storedLocks } from '../../core/lock.ts'
import { eventWriterAfterCut } from '../../jobs/event-writer.ts'
import { endOfJob } from '../../jobs/perform.ts'
import type { JobRow } from '../../jobs/tables.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import { openCarrier } from '../carrier.ts'
import { keyName } from '../idempotency.ts'
import { recover, type Recovery } from '../recover.ts'
import type { ChangeRow } from '../tables.ts'
import type { StepKinds } from '../work.ts'
import { cancelQueued, endUnknown } from './cancel.ts'
import type { Working } from './working.ts'

interface CutOff {
  readonly job: JobRow
  readonly row: ChangeRow
  readonly names: readonly string[]
  readonly release: () => void
}

/**
 * Takes over the work that a killed panel left running. The locks of changes that acted are held again when
 * it returns; the returned function settles them. Work that had not begun is queued again, without counting
 * an attempt.
 */
export async function takeOverWork(
  working: Working,
  steps: StepKinds,
): Promise<() => Promise<readonly Recovery[]>> {
  const { store, executor } = working
  const cutOff: CutOff[] = []
  const jobs = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'running')
    .where('change_id', 'is not', null)
    .execute()
  for (const job of jobs) {
    const row = await store.db
      .selectFrom('changes')
      .selectAll()
      .where('id', '=', job.change_id)
      .executeTakeFirstOrThrow()
    if (row.state === 'queued') {
      await queueAgain(working, job)
      continue
    }
    const names = storedLocks(row.locks)
    const release = await executor.locks.acquire(names, working.stop, job.id)
    cutOff.push({ job, row, names, release })
  }
  await endUnknown(working)
  return async () => {
    const recoveries = await Promise.all(cutOff.map((each) => settleOne(working, steps, each)))
    return recoveries.filter((each) => each !== undefined)
  }
}

async function queueAgain(working: Working, job: JobRow): Promise<void> {
  const { store } = working
  const message = 'Waits for its turn again after a restart of the panel'
  await store.transaction((tx) =>
    store.write(tx, [endOfJob(job.id, { state: 'queued', message, attempt: job.attempt - 1 })]),
  )
  if (job.is_cancelling === 1) await cancelQueued(working, job.id)
}

/** Stands in for a kind that this panel no longer knows. */
const unknownKind: Pick<WorkKind, 'input' | 'attempts' | 'resumes'> = {
  input: Type.Unknown(),
  attempts: 1,
  resumes: false,
}

async function settleOne(
  { store, log, executor, programs, stop, kindOf, retryMs, jobs }: Working,
  steps: StepKinds,
  { job, row, names, release }: CutOff,
): Promise<Recovery | undefined> {
  const kind = { ...unknownKind, ...kindOf(job.kind)?.kind }
  const input: unknown = JSON.parse(store.unseal(job.input))
  const events = await eventWriterAfterCut(store, jobs.feed, job.id)
  const run = { ...events, untilStored: <Value>(work: () => Promise<Value>) => work() } // settled again below
  const carrier = openCarrier({ row: job, changeId: row.id, kind, input, retryMs, run })
  const isWork = (name: string) => kindOf(name) !== undefined
  const { unsettled } = executor
  const recovering = { store, log, unsettled, stop, isWork, ...(programs && { programs }) }
  const settle = () => recover(recovering, steps, row, { carrier, isCancelling: job.is_cancelling === 1 })
  try {
    const recovery = await settle()
    release()
    return recovery
  } catch (error) {
    if (stop.aborted) return undefined // the next start continues
    log.error({ err: error, changeId: row.id }, 'a job that was cut off could not be settled')
    // its locks stay held against later changes
    if (!isDiskProblem(error)) return undefined
    const key = row.idempotency_key === null ? [] : [keyName(row.user_id, row.idempotency_key)]
    const finish = async () => void (await settle())
    executor.unsettled.add({ changeId: row.id, names: [...names, ...key], finish, error })
    release()
    return undefined
  } finally {
    jobs.feed.wake(job.id)
  }
}
