import { Busy } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { shapes } from '../../tools/docker/index.ts'
import type { Containers } from './context.ts'
import type { ContainerLogLine, LogQuery } from './model.ts'

interface Following {
  /** The time of the last line that the reader has, in milliseconds. */
  readonly afterMs: number | undefined
  readonly signal: AbortSignal
}

/** Each reader is a connection to the engine. */
const mostReaders = 100
let readers = 0

/** Yields the last lines that a container printed and then those to come; a slow reader makes the engine wait. */
export async function* followLog(
  { docker }: Containers,
  { Id, Config }: shapes.Inspected,
  { tail, since, follow, search }: LogQuery,
  { afterMs, signal }: Following,
): AsyncGenerator<StreamEvent<ContainerLogLine>> {
  if (readers >= mostReaders) throw Busy(`${mostReaders} logs are being read: close one and try again`)
  readers += 1
  const wanted = search?.toLowerCase()
  const sinceMs = afterMs ?? (since === undefined ? undefined : Date.parse(since))
  try {
    for await (const { time, stream, message } of docker.readLog(Id, {
      tail,
      isFollowing: follow,
      sinceMs,
      isTerminal: Config.Tty,
      signal,
    })) {
      const timeMs = time === null ? undefined : Date.parse(time)
      if (afterMs !== undefined && timeMs !== undefined && timeMs <= afterMs) continue
      if (wanted !== undefined && !message.toLowerCase().includes(wanted)) continue
      const value = { type: 'line', time, stream, message } as const
      yield timeMs === undefined ? { value } : { id: timeMs, value }
    }
  } finally {
    readers -= 1
  }
}
