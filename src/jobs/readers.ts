import type { Store } from '../store/store.ts'
import { type JobEventRow, overStates } from './tables.ts'

const rowsPerRead = 500

/** The state that the readers of one job share: readers at the same event share one query. */
interface Shared {
  readers: number
  woken: PromiseWithResolvers<void>
  isOver: Promise<boolean> | undefined
  readonly reads: Map<number, Promise<readonly JobEventRow[]>>
}

/**
 * Lets any number of readers follow the events of a job, with one query for all readers at the same event.
 */
export function openReaders(store: Store) {
  const jobs = new Map<number, Shared>()
  return {
    wake: (jobId: number): void => {
      const shared = jobs.get(jobId)
      if (shared === undefined) return
      shared.reads.clear()
      shared.isOver = undefined
      shared.woken.resolve()
      shared.woken = Promise.withResolvers()
    },
    follow: async function* (
      jobId: number,
      afterSeq: number,
      signal: AbortSignal,
    ): AsyncGenerator<JobEventRow> {
      const { shared, leave } = join(jobs, jobId)
      try {
        yield* follow({ store, jobId, shared, signal }, afterSeq)
      } finally {
        leave()
      }
    },
  }
}

function join(jobs: Map<number, Shared>, jobId: number) {
  const woken = Promise.withResolvers<void>()
  const shared = jobs.get(jobId) ?? { readers: 0, woken, isOver: undefined, reads: new Map() }
  shared.readers += 1
  jobs.set(jobId, shared)
  const leave = () => {
    shared.readers -= 1
    if (shared.readers === 0) jobs.delete(jobId)
  }
  return { shared, leave }
}

interface Following {
  readonly store: Store
  readonly jobId: number
  readonly shared: Shared
  readonly signal: AbortSignal
}

async function* follow(
  { store, jobId, shared, signal }: Following,
  afterSeq: number,
): AsyncGenerator<JobEventRow> {
  let last = afterSeq
  while (!signal.aborted) {
    const woken = shared.woken.promise // taken before the reads, so that no event is missed in between
    const isOver = await (shared.isOver ??= isJobOver(store, jobId))
    const read = shared.reads.get(last) ?? rowsAfter(store, jobId, last)
    shared.reads.set(last, read)
    const rows = await read
    yield* rows
    last = rows.at(-1)?.seq ?? last
    if (rows.length > 0) continue
    if (isOver) return
    await untilWoken(woken, signal)
  }
}

async function isJobOver(store: Store, jobId: number): Promise<boolean> {
  const row = await store.db.selectFrom('jobs').select('state').where('id', '=', jobId).executeTakeFirst()
  return row === undefined || overStates.has(row.state)
}

function rowsAfter(store: Store, jobId: number, seq: number): Promise<readonly JobEventRow[]> {
  return store.db
    .selectFrom('job_events')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(rowsPerRead)
    .execute()
}

async function untilWoken(woken: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await Promise.race([woken, promise]).finally(() => signal.removeEventListener('abort', stop))
}
