import { useEffect } from 'react'
import { notify } from '../../../../web/kit/notices.tsx'
import { textOf } from '../../../../web/wire.ts'
import type { Whose } from '../queries.ts'
import { fileJobs } from './file-jobs.ts'

/** Shows active jobs that were started before a page reload or elsewhere. */
export function useActiveJobs(whose: Whose): void {
  const named = JSON.stringify(whose)
  useEffect(() => {
    const ending = new AbortController()
    fileJobs
      .find(JSON.parse(named), ending.signal)
      .catch((error: unknown) => ending.signal.aborted || notify(textOf(error), true))
    return () => ending.abort()
  }, [named])
}
