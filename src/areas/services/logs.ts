import { Busy } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { LogLine } from '../../host/services/logs.ts'
import type { ServicesArea } from './context.ts'
import type { LogQuery, ServiceLogLine } from './model.ts'

interface Following {
  /** The time of the last line that the reader has, in microseconds. */
  readonly afterUs: number | undefined
  readonly signal: AbortSignal
}

/** Each reader is a process of the host. */
const mostReaders = 50
let readers = 0

/** Yields the last lines that a service logged and then those to come, as the filters choose. */
export async function* followLog(
  { services }: ServicesArea,
  name: string,
  { lines, follow, search, priority, since, source }: LogQuery,
  { afterUs, signal }: Following,
): AsyncGenerator<StreamEvent<ServiceLogLine>> {
  if (readers >= mostReaders) throw Busy(`${mostReaders} logs are being read: close one and try again`)
  readers += 1
  const wanted = search?.toLowerCase()
  try {
    for await (const line of services.logs(name, {
      source,
      lines,
      isFollowing: follow,
      priority,
      since: since === undefined ? undefined : new Date(since),
      afterUs,
      signal,
    }))
      if (wanted === undefined || line.message.toLowerCase().includes(wanted)) yield eventOf(line)
  } finally {
    readers -= 1
  }
}

function eventOf({ timeUs, priority, pid, message }: LogLine): StreamEvent<ServiceLogLine> {
  const time = timeUs === undefined ? null : new Date(timeUs / 1000).toISOString()
  return {
    ...(timeUs !== undefined && { id: timeUs }),
    value: { type: 'line', time, priority, pid, message },
  }
}
