import { useEffect, useRef } from 'react'
import { JobProgress } from '../../../../web/kit/JobProgress.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { type Begun, fileJobs } from './file-jobs.ts'

interface JobInDialogProps {
  readonly job: Begun
  readonly onEnd?: (state: string) => void
}

/** A job with all that it says. Where the dialog goes before it has ended, the corner of the page takes it over. */
export function JobInDialog({ job, onEnd }: JobInDialogProps) {
  const isOver = useRef(false)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      // asked a moment later, as React also takes effects away to set them up again
      queueMicrotask(() => !isShown.current && !isOver.current && void fileJobs.follow(job, 0))
    }
  }, [job])
  const end = (state: string) => {
    isOver.current = true
    void readAgain('files', 'trash', 'history', 'vcs').then(() => onEnd?.(state))
  }
  return <JobProgress jobId={job.jobId} onEnd={end} />
}
