import { useEffect, useRef } from 'react'
import { JobProgress } from '../../../../web/kit/JobProgress.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { type Begun, fileJobs } from './file-jobs.ts'

interface JobInDialogProps {
  readonly job: Begun
  readonly onEnd?: (state: string) => void
}

/** A job with its full output. If the dialog closes first, the dock in the corner of the page takes over. */
export function JobInDialog({ job, onEnd }: JobInDialogProps) {
  const isOver = useRef(false)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      // deferred because React strict mode runs the cleanup and sets the effect up again
      queueMicrotask(() => !isShown.current && !isOver.current && void fileJobs.follow(job, 0))
    }
  }, [job])
  const end = (state: string) => {
    isOver.current = true
    void readAgain('files', 'trash', 'history', 'vcs').then(() => onEnd?.(state))
  }
  return <JobProgress jobId={job.jobId} onEnd={end} />
}
