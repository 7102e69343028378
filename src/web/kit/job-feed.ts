import { useEffect, useState } from 'react'
import type { Static } from 'typebox'
import type { JobEvent } from '../../areas/jobs/model.ts'
import { jobs } from '../../areas/jobs/web/api.ts'
import { readEvents } from '../event-stream.ts'
import { ApiError } from '../wire.ts'

const keptLines = 2000
const pauseMs = 1500

type Event = Static<typeof JobEvent>

/** The known state of a job that is being followed. */
export interface JobFeed {
  readonly percent: number | null
  readonly message: string
  readonly lines: readonly string[]
  /** Set once the job has ended. */
  readonly state: Event['state'] | undefined
  readonly isLost: boolean
  readonly error: unknown
}

const nothingYet: JobFeed = {
  percent: null,
  message: 'Waiting …',
  lines: [],
  state: undefined,
  isLost: false,
  error: undefined,
}

/** Follows a job to its end; resumes after a lost connection. */
export function useJobFeed(jobId: number): JobFeed {
  const [feed, setFeed] = useState(nothingYet)
  useEffect(() => {
    const ending = new AbortController()
    setFeed(nothingYet)
    void followJob(jobId, setFeed, ending.signal)
    return () => ending.abort()
  }, [jobId])
  return feed
}

/** Follows a job outside a component; reports each change and returns the final state. */
export async function followJob(
  jobId: number,
  onChange: (feed: JobFeed) => void,
  signal = new AbortController().signal,
): Promise<JobFeed> {
  let [feed, lastId] = [nothingYet, 0]
  const tell = (next: JobFeed) => {
    onChange((feed = next))
    return feed
  }
  while (!signal.aborted) {
    try {
      for await (const { id, value } of readEvents(
        jobs.followJob({ params: { id: jobId } }),
        lastId,
        signal,
      )) {
        lastId = id ?? lastId
        tell(withEvent(feed, value))
        if (value.type === 'end') return feed
      }
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof ApiError && error.status < 500) return tell({ ...feed, error })
    }
    tell({ ...feed, isLost: true })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return feed
}

function withEvent(feed: JobFeed, event: Event): JobFeed {
  const known = { ...feed, isLost: event.type === 'error' }
  if (event.type === 'output') return { ...known, lines: [...feed.lines.slice(1 - keptLines), event.message] }
  if (event.type === 'end')
    return { ...known, percent: event.percent, message: event.message, state: event.state }
  return event.type === 'error'
    ? known
    : { ...known, percent: event.percent, message: event.message || feed.message }
}
