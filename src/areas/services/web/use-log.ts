import { useEffect, useState } from 'react'
import type { LogPriority } from '../../../core/log-line.ts'
import { pause } from '../../../core/poll.ts'
import { readEvents } from '../../../web/event-stream.ts'
import { ApiError, textOf } from '../../../web/wire.ts'
import type { ServiceLogLine } from '../model.ts'
import { services } from './api.ts'

const keptLines = 2000
const pauseMs = 1500

/** What the reader chose of a log. */
export interface LogFilter {
  readonly search: string
  readonly priority: LogPriority | undefined
}

/** The lines of a log that is being followed. */
export interface LogFeed {
  readonly lines: readonly string[]
  readonly state: 'reading' | 'live' | 'lost'
  readonly error: string | undefined
}

const nothingYet: LogFeed = { lines: [], state: 'reading', error: undefined }

/** Follows the log of a service; goes on after a lost connection. */
export function useLog(name: string, { search, priority }: LogFilter): LogFeed {
  const [feed, setFeed] = useState(nothingYet)
  useEffect(() => {
    const ending = new AbortController()
    setFeed(nothingYet)
    void followLog({ name, filter: { search, priority }, onChange: setFeed, signal: ending.signal })
    return () => ending.abort()
  }, [name, search, priority])
  return feed
}

interface Following {
  readonly name: string
  readonly filter: LogFilter
  readonly onChange: (next: (feed: LogFeed) => LogFeed) => void
  readonly signal: AbortSignal
}

async function followLog({ name, filter, onChange, signal }: Following): Promise<void> {
  const { search, priority } = filter
  const query = {
    lines: search === '' ? 200 : 5000,
    ...(search && { search }),
    ...(priority && { priority }),
  }
  let lastId = 0
  while (!signal.aborted) {
    try {
      onChange((feed) => ({ ...feed, state: 'live', error: undefined }))
      const call = services.followServiceLog({ params: { name }, query })
      for await (const { id, value } of readEvents(call, lastId, signal)) {
        if (value.type === 'error') throw new Error(value.message)
        lastId = id ?? lastId
        onChange((feed) => ({ ...feed, lines: [...feed.lines.slice(1 - keptLines), textOfLine(value)] }))
      }
    } catch (error) {
      if (signal.aborted) return
      onChange((feed) => ({ ...feed, state: 'lost', error: textOf(error) }))
      if (error instanceof ApiError && error.status < 500) return
    }
    await pause(pauseMs, signal)
  }
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })

function textOfLine({ time, priority, message }: ServiceLogLine): string {
  const at = time ? `${clock.format(new Date(time))}  ` : ''
  const severity = priority && !['info', 'notice', 'debug'].includes(priority) ? `[${priority}] ` : ''
  return `${at}${severity}${message}`
}
