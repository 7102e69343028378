import { useEffect, useState } from 'react'
import { pause } from '../pause.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { Call } from '../call.ts'
import { readEvents } from '../event-stream.ts'
import { ApiError, textOf } from '../wire.ts'

const keptLines = 2000
const pauseMs = 1500

/** The lines of a log that is being followed. */
export interface LiveLines {
  readonly lines: readonly string[]
  readonly state: 'reading' | 'live' | 'lost'
  readonly error: string | undefined
}

/** What the server sends: a line, or the error that ends the stream. */
interface SentLine {
  readonly type: 'line' | 'error'
  readonly message: string
}

interface Following<Line extends SentLine> {
  readonly callOf: () => Call<AsyncIterable<StreamEvent<Line>>>
  readonly textOfLine: (line: Line) => string
  /** True if the stream goes on after the last line that arrived; otherwise it begins anew. */
  readonly resumes: boolean
}

const nothingYet: LiveLines = { lines: [], state: 'reading', error: undefined }

/** Follows a log, anew when the key changes; goes on after a lost connection. */
export function useLiveLines<Line extends SentLine>(key: string, following: Following<Line>): LiveLines {
  const [feed, setFeed] = useState(nothingYet)
  useEffect(() => {
    const ending = new AbortController()
    setFeed(nothingYet)
    void follow(following, setFeed, ending.signal)
    return () => ending.abort()
  }, [key])
  return feed
}

async function follow<Line extends SentLine>(
  { callOf, textOfLine, resumes }: Following<Line>,
  onChange: (next: (feed: LiveLines) => LiveLines) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId = 0
  while (!signal.aborted) {
    try {
      onChange((feed) => ({ lines: resumes ? feed.lines : [], state: 'live', error: undefined }))
      for await (const { id, value } of readEvents(callOf(), lastId, signal)) {
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
