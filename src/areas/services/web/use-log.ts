import type { LogPriority } from '../../../core/log-line.ts'
import { type LiveLines, useLiveLines } from '../../../web/kit/use-live-lines.ts'
import type { ServiceLogLine } from '../model.ts'
import { services } from './api.ts'

/** What the reader chose of a log. */
export interface LogFilter {
  readonly search: string
  readonly priority: LogPriority | undefined
}

/** Follows the log of a service; goes on after a lost connection. */
export function useLog(name: string, { search, priority }: LogFilter): LiveLines {
  const query = {
    lines: search === '' ? 200 : 5000,
    ...(search && { search }),
    ...(priority && { priority }),
  }
  return useLiveLines(JSON.stringify([name, query]), {
    callOf: () => services.followServiceLog({ params: { name }, query }),
    textOfLine,
    resumes: true,
  })
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })

function textOfLine({ time, priority, message }: ServiceLogLine): string {
  const at = time ? `${clock.format(new Date(time))}  ` : ''
  const severity = priority && !['info', 'notice', 'debug'].includes(priority) ? `[${priority}] ` : ''
  return `${at}${severity}${message}`
}
