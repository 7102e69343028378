import { contribution } from '../../core/point.ts'
import { Problem } from '../../core/problem.ts'
import { QueryRefused } from '../../tools/opensearch/index.ts'
import { type Notice, noticed } from '../notifications/index.ts'
import type { Logstore } from './context.ts'
import { isUsable } from './retention.ts'
import type { SavedSearchRow } from './store.ts'

type Alerting = Pick<Logstore, 'queries' | 'opensearch'>

const everySeconds = 30

/** Tells superusers of saved searches that have found as many lines as they are to tell of. */
export const noticesOfSearches = (on: Logstore) =>
  contribution(noticed, {
    name: 'logstore',
    kinds: [{ name: 'log_alert', title: 'A saved log search has found its number of lines' }],
    after: { seconds: everySeconds },
    read: () => readAlerts(on),
  })

/** Counts the lines of each search that alerts; one that has too few again may be told of anew. */
export async function readAlerts(on: Alerting): Promise<readonly Notice[]> {
  const searches = (await on.queries.savedSearches()).filter((row) => row.alert_threshold > 0)
  if (searches.length === 0 || !(await isUsable(on))) return []
  const notices: Notice[] = []
  for (const row of searches) {
    const count = await countRecent(on, row)
    if (count >= row.alert_threshold) notices.push(noticeOf(row, count))
  }
  return notices
}

/** A query that OpenSearch refuses matches nothing: it must not silence the other searches. */
async function countRecent({ opensearch }: Alerting, row: SavedSearchRow): Promise<number> {
  const { query, severity, alert_minutes: minutes } = row
  const asked = {
    query,
    from: `now-${minutes}m`,
    sources: [],
    severity: severity === '' ? [] : severity.split(','),
  }
  try {
    return (await opensearch.search(asked, { from: 0, size: 0 })).total
  } catch (error) {
    if (error instanceof Problem && error.kind === QueryRefused) return 0
    throw error
  }
}

const noticeOf = ({ id, name, query, alert_minutes: minutes }: SavedSearchRow, count: number): Notice => ({
  kind: 'log_alert',
  key: `log-alert:${id}`,
  group: `log-alert:${id}`,
  lasts: true,
  to: 'superusers',
  title: `${name}: ${count} ${count === 1 ? 'line' : 'lines'} within ${minutes} min`,
  message: query === '' ? 'Every line counts.' : `Lines that match: ${query}`,
  link: '/logs',
})
