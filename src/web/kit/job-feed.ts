import { useEffect, useState } from 'react'
import type { Static } from 'typebox'
import type { JobEvent } from '../../areas/jobs/model.ts'
import { readEvents } from '../event-stream.ts'
import { ApiError } from '../wire.ts'

const keptLines = 2000
const pauseMs = 1500

type Event = Static<typeof JobEvent>

/** What is known of a job that is being followed. */
export interface JobFeed {
  readonly percent: number | null
  readonly message: string
  readonly lines: readonly string[]
  /** Set once the job is over. */
  readonly state: Event['state'] | undefined
  readonly isLost: boolean
  readonly error: unknown
}

const nothingYet: JobFeed = { percent: null, message: 'Waiting …', lines: [], state: undefined, isLost: false, error: undefined }

/** Follows a job to its end, and goes on where it was when the connection was lost. */
export function useJobFeed(jobId: number): JobFeed {
  const [feed, setFeed] = useState(nothingYet)
  useEffect(() => {
    const ending = new AbortController()
    setFeed(nothingYet)
    void follow(jobId, setFeed, ending.signal)
    return () => ending.abort()
  }, [jobId])
  return feed
}

async function follow(jobId: number, set: (change: (feed: JobFeed) => JobFeed) => void, signal: AbortSignal): Promise<void> {
  let lastId = 0
  while (!signal.aborted) {
    try {
      for await (const { id, value } of readEvents<Event>(`/jobs/${jobId}/events`, lastId, signal)) {
        lastId = id ?? lastId
        set((feed) => withEvent(feed, value))
        if (value.type === 'end') return
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status < 500) return set((feed) => ({ ...feed, error }))
    }
    set((feed) => ({ ...feed, isLost: true }))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function withEvent(feed: JobFeed, event: Event): JobFeed {
  const known = { ...feed, isLost: event.type === 'error' }
  if (event.type === 'output') return { ...known, lines: [...feed.lines.slice(1 - keptLines), event.message] }
  if (event.type === 'end') return { ...known, percent: event.percent, message: event.message, state: event.state }
  return event.type === 'error' ? known : { ...known, percent: event.percent, message: event.message || feed.message }
}
