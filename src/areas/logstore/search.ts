import type { LogQuery } from '../../tools/opensearch/index.ts'
import type { Logstore } from './context.ts'
import {
  defaultLimit,
  type LogChoice,
  type LogHistogram,
  type LogHits,
  type LogSearch,
  mostReachable,
} from './model.ts'
import { SearchInvalid } from './problems.ts'

const mostLines = 500

/** Finds lines, the newest first. */
export async function searchLogs({ opensearch }: Logstore, search: LogSearch): Promise<LogHits> {
  const { limit, from } = search
  const size = limit <= 0 || limit > mostLines ? defaultLimit : limit
  if (from < 0 || from + size > mostReachable)
    throw SearchInvalid(
      `from: must be from 0 to ${mostReachable - size}, so that it ends within the newest ${mostReachable} lines; narrow the time for older ones`,
    )
  return opensearch.search(queryOf(search), { from, size })
}

/** Counts the lines of a search by time and by their fields. */
export const groupLogs = ({ opensearch }: Logstore, choice: LogChoice): Promise<LogHistogram> =>
  opensearch.group(queryOf(choice))

/** Without any bound, the last 24 hours are meant. */
export function queryOf({ query, timeFrom, timeTo, sources, severity }: LogChoice): LogQuery {
  const from = timeFrom === '' && timeTo === '' ? 'now-24h' : timeFrom
  return { query, from: from || undefined, to: timeTo || undefined, sources, severity }
}
