import type { Store } from '../store/store.ts'
import { openReaders } from './readers.ts'
import type { JobEventRow } from './tables.ts'

const keptEvents = 5000
const flushMs = 200
const batchSize = 100
/** The delay before events that the store rejected are written again. */
const refusedMs = 1000
const lastLine = '… more output than is kept'

type Draft = Pick<JobEventRow, 'type' | 'percent' | 'message'>

/** Writes a job's events in batches and lets readers follow them from any event. */
export function openFeed(store: Store) {
  const readers = openReaders(store)
  return {
    writer: (jobId: number) => feedWriter(store, jobId, () => readers.wake(jobId)),
    /** Notifies the readers of a job. */
    wake: readers.wake,
    /** Returns the events after `afterSeq`, and later ones as they come, until the job has ended. */
    follow: readers.follow,
  }
}

export type Feed = ReturnType<typeof openFeed>

function feedWriter(store: Store, jobId: number, onWritten: () => void) {
  const waiting: Draft[] = []
  let seq: number | undefined
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()
  let isFull = false
  let isRefused = false
  const flushNow = async () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    seq ??= await lastSeq(store, jobId)
    const batch = waiting.splice(0)
    const first = seq + 1
    // counted immediately: `add` compares with the kept events while the batch is being written
    seq += batch.length
    try {
      await writeBatch(store, jobId, first, batch)
    } catch (error) {
      seq -= batch.length
      waiting.unshift(...batch)
      throw error
    }
    onWritten()
  }
  const flush = () => (flushing = flushing.then(flushNow, flushNow))
  const flushSoon = () =>
    void flush().then(
      () => (isRefused = false),
      () => {
        isRefused = true // the flush at the end of the job reports the failure
        timer ??= setTimeout(flushSoon, refusedMs).unref()
      },
    )
  return {
    add: (event: Draft): void => {
      if (event.type === 'output' && isFull) return
      isFull ||= event.type === 'output' && (seq ?? 0) + waiting.length >= keptEvents
      if (event.type === 'progress' && waiting.at(-1)?.type === 'progress') waiting.pop() // only the newest matters
      waiting.push(isFull && event.type === 'output' ? { ...event, message: lastLine } : event)
      if (waiting.length >= batchSize && !isRefused) flushSoon()
      timer ??= setTimeout(flushSoon, flushMs)
    },
    flush,
    wake: onWritten,
  }
}

async function lastSeq(store: Store, jobId: number): Promise<number> {
  const row = await store.db
    .selectFrom('job_events')
    .select('seq')
    .where('job_id', '=', jobId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

async function writeBatch(
  store: Store,
  jobId: number,
  first: number,
  batch: readonly Draft[],
): Promise<void> {
  const created_at = new Date().toISOString()
  const rows = batch.map((event, index) => ({ job_id: jobId, seq: first + index, created_at, ...event }))
  const progress = batch.findLast((event) => event.type !== 'output')
  await store.transaction(async (tx) => {
    await tx.insertInto('job_events').values(rows).execute()
    if (progress)
      await tx
        .updateTable('jobs')
        .set({ percent: progress.percent, message: progress.message })
        .where('id', '=', jobId)
        .execute()
  })
}
