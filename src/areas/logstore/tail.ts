import { setTimeout as delay } from 'node:timers/promises'
import { Busy } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { LogLine, LogQuery } from '../../tools/opensearch/index.ts'
import type { Logstore } from './context.ts'
import type { LogTailLine, LogTailQuery } from './sent-model.ts'

/** When a line is taken for readable: rsyslog sends it, and OpenSearch shows it, within that time unless one of them is behind. */
const settlingMs = 3000
const intervalMs = 1000
/** More lines of one interval are left out: nobody reads them as they pass. */
const mostLines = 200
const mostReaders = 20
/** A stream ends after that time, so that one that was forgotten does not ask for ever. */
const longestMs = 3_600_000
/** A reader that lost its connection for longer begins anew. */
const mostMissedMs = 300_000

interface Following {
  /** The end of the time whose lines the reader has, in milliseconds. */
  readonly afterMs: number | undefined
  readonly signal: AbortSignal
}

let readers = 0

/** Follows the lines of a search as they arrive. What OpenSearch refuses is thrown before the stream begins. */
export async function tailLogs(
  on: Pick<Logstore, 'opensearch'>,
  { query, severity }: LogTailQuery,
  following: Following,
): Promise<AsyncGenerator<StreamEvent<LogTailLine>>> {
  if (readers >= mostReaders)
    throw Busy(`${mostReaders} searches are being followed: close one and try again`)
  const asked: LogQuery = { query, sources: [], severity: severity === '' ? [] : severity.split(',') }
  await on.opensearch.search(asked, { from: 0, size: 0 })
  return follow(on, asked, following)
}

async function* follow(
  { opensearch }: Pick<Logstore, 'opensearch'>,
  asked: LogQuery,
  { afterMs = 0, signal }: Following,
): AsyncGenerator<StreamEvent<LogTailLine>> {
  readers += 1
  try {
    const endsAt = Date.now() + longestMs
    const begins = Date.now() - settlingMs
    let doneMs = afterMs > begins - mostMissedMs && afterMs < begins ? afterMs : begins
    while (!signal.aborted && Date.now() < endsAt) {
      const untilMs = Date.now() - settlingMs
      // the times follow one another without a gap and without an overlap, so that each line is in one of them
      if (untilMs > doneMs) {
        const times = { after: timeOf(doneMs), to: timeOf(untilMs) }
        const { hits, total } = await opensearch.search({ ...asked, ...times }, { from: 0, size: mostLines })
        yield* eventsOf(hits.toReversed(), { leftOut: total - hits.length, endMs: untilMs })
        doneMs = untilMs
      }
      await delay(intervalMs, undefined, { signal }).catch(() => {}) // the reader has left
    }
  } finally {
    readers -= 1
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

interface Passing {
  readonly leftOut: number
  readonly endMs: number
}

/** Only the last event has an id: a reader that lost the connection before it receives the lines of this time again. */
function* eventsOf(
  lines: readonly LogLine[],
  { leftOut, endMs }: Passing,
): Generator<StreamEvent<LogTailLine>> {
  for (const [index, line] of lines.entries()) {
    const value = { ...shown(line), ...(index === 0 && leftOut > 0 && { left_out: leftOut }) }
    yield index === lines.length - 1 ? { id: endMs, value } : { value }
  }
}

function shown(line: LogLine): LogTailLine {
  const { '@timestamp': time, message = '', severity, host, program, source, source_ip } = line
  return {
    type: 'line',
    message,
    ...(time !== undefined && { time }),
    ...(severity !== undefined && { severity }),
    ...(host !== undefined && { host }),
    ...(program !== undefined && { program }),
    ...(source !== undefined && { source }),
    ...(source_ip !== undefined && { source_ip }),
  }
}
