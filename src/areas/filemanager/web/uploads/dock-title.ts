import type { Download } from '../downloads.ts'
import type { FileJob } from '../jobs/file-jobs.ts'
import { doingText, type JobVerb } from '../jobs/job-text.ts'
import type { Sending } from './queue.ts'

interface Transfers {
  readonly sendings?: readonly Pick<Sending, 'state'>[]
  readonly coming?: readonly Pick<Download, 'state'>[]
  readonly jobs?: readonly Pick<FileJob, 'state' | 'verb'>[]
}

/**
 * Returns a one-line summary; active transfers take precedence over failed ones, and those over questions.
 */
export function titleOf({ sendings = [], coming = [], jobs = [] }: Transfers): string {
  const uploading = sendings.filter(({ state }) => state === 'waiting' || state === 'sending').length
  const arriving = coming.filter(({ state }) => state === 'coming' || state === 'waiting').length
  const working = jobs.filter(({ state }) => state === 'working')
  const moving = [
    uploading > 0 && `uploading ${uploading} of ${sendings.length}`,
    arriving > 0 && `downloading ${arriving}${uploading > 0 ? '' : ` of ${coming.length}`}`,
    ...textOfJobs(working),
  ].filter((part) => part !== false)
  if (moving.length > 0) return capital(moving.join(', '))
  const failed = [...sendings, ...coming, ...jobs].filter(({ state }) => state === 'failed').length
  if (failed > 0) return `${failed} failed`
  if (sendings.some(({ state }) => state === 'paused')) return 'Uploads are paused'
  return sendings.length > 0 ? 'Uploads complete' : 'Downloads complete'
}

const verbs: readonly JobVerb[] = ['pack', 'unpack', 'copy', 'move', 'fetch', 'clone', 'pull', 'push']

function textOfJobs(working: readonly Pick<FileJob, 'verb'>[]): readonly string[] {
  return verbs.flatMap((verb) => {
    const count = working.filter((job) => job.verb === verb).length
    return count > 0 ? [`${doingText[verb].toLowerCase()} ${count}`] : []
  })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
