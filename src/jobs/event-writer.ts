import type { Store } from '../store/store.ts'
import type { Feed } from './feed.ts'

/** Writes the events of one job. */
export interface EventWriter {
  progress(percent: number | null, message: string): void
  output(line: string): void
  /** Stores the events so far. */
  flush(): Promise<void>
}

/** Writes the events of a job in the form in which they are stored. */
export const eventWriter = (writer: ReturnType<Feed['writer']>): EventWriter => ({
  progress: (percent, message) => writer.add(progressOf(percent, message)),
  output: (line) => writer.add(outputOf(line)),
  flush: writer.flush,
})

/**
 * Continues the events of a job that was cut off. Output is read from its beginning again: lines that are
 * already among the events are left out.
 */
export async function eventWriterAfterCut(store: Store, feed: Feed, jobId: number): Promise<EventWriter> {
  const writer = eventWriter(feed.writer(jobId))
  const told = await toldLines(store, jobId)
  const output = (line: string) => {
    const { message } = outputOf(line)
    const count = told.get(message) ?? 0
    if (count === 0) writer.output(line)
    else told.set(message, count - 1)
  }
  return { ...writer, output }
}

/** The lines of output that the last run of a job has stored, and how often. */
async function toldLines(store: Store, jobId: number): Promise<Map<string, number>> {
  const events = store.db.selectFrom('job_events').where('job_id', '=', jobId)
  const begun = await events
    .where('type', '=', 'state')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst()
  const rows = await events
    .where('type', '=', 'output')
    .where('seq', '>', begun?.seq ?? 0)
    .select('message')
    .execute()
  const told = new Map<string, number>()
  for (const { message } of rows) told.set(message, (told.get(message) ?? 0) + 1)
  return told
}

const progressOf = (percent: number | null, message: string) => ({
  type: 'progress' as const,
  percent: percent === null ? null : Math.round(Math.min(100, Math.max(0, percent))),
  message: message.slice(0, 2000),
})
const outputOf = (line: string) => ({ type: 'output' as const, percent: null, message: line.slice(0, 2000) })
