import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { Problem } from '../../core/problem.ts'
import { type LogQuery, QueryRefused } from '../../tools/opensearch/index.ts'
import type { Logstore } from './context.ts'
import type { SavedSearch, SavedSearchDraft } from './model.ts'
import { MissingName, TooManyAlerts, TooManySaved } from './problems.ts'
import { type SavedSearchRow, savedSearches } from './store.ts'

const savedSearchLock = lock('log_search')
const mostSaved = 500
/** Each is counted twice a minute. */
const mostAlerts = 50
const months: Readonly<Record<string, number | null>> = { '6m': 6, '1y': 12, never: null }
const defaultMonths = 24

/** Lists the saved searches, the newest first; none where the store cannot be read, as the contract has it. */
export async function listSavedSearches({ queries }: Logstore): Promise<SavedSearch[]> {
  const rows = await queries.savedSearches().catch(() => [])
  return rows.map((row) => savedSearches.show(row))
}

/** Saves a search; one that preserves has its lines flagged at once. */
export async function saveSearch(
  { queries, opensearch }: Logstore,
  { expiry, ...draft }: SavedSearchDraft,
  { id, now, caller }: Pick<Deciding, 'id' | 'now' | 'caller'>,
): Promise<Change<SavedSearch>> {
  if (draft.name.trim() === '') throw MissingName()
  const present = await queries.savedSearches()
  if (present.length >= mostSaved) throw TooManySaved()
  const alerting = present.filter((each) => each.alert_threshold > 0)
  if (draft.alert_threshold > 0 && alerting.length >= mostAlerts) throw TooManyAlerts()
  const row = savedSearches.row({
    ...draft,
    id: id(savedSearches.name),
    expires_at: expiryOf(expiry, now),
    created_at: now.toISOString(),
  })
  await assertReadable(opensearch, row)
  return change({
    summary: `Save the log search ${row.name}`,
    rows: [savedSearches.insert(row)],
    jobs: row.preserve_data === 1 ? [flagging(caller.user.id)] : [],
    reply: savedSearches.show(row),
  })
}

/** Throws the reason why OpenSearch refuses a query; while it is away, any query is saved. */
async function assertReadable(opensearch: Logstore['opensearch'], row: SavedSearchRow): Promise<void> {
  const [asked] = preservingQueries([{ ...row, preserve_data: 1 }])
  if (asked === undefined) return
  await opensearch.search(asked, { from: 0, size: 0 }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.kind === QueryRefused) throw error
  })
}

/** Deletes a saved search; lines that it alone preserved are no longer. An unknown one is deleted already. */
export async function deleteSavedSearch(
  { queries }: Logstore,
  id: number,
  { caller }: Pick<Deciding, 'caller'>,
): Promise<Change<{ success: true }>> {
  const row = await queries.findSavedSearch(id)
  return change({
    summary: row === undefined ? `There is no log search ${id}` : `Delete the log search ${row.name}`,
    locks: [savedSearchLock(String(id))],
    rows: row === undefined ? [] : [savedSearches.delete({ id })],
    jobs: row?.preserve_data === 1 ? [flagging(caller.user.id)] : [],
    reply: success,
  })
}

/** The queries whose lines are preserved. A relative time is how the page shows it, and does not limit them. */
export const preservingQueries = (rows: readonly SavedSearchRow[]): readonly LogQuery[] =>
  rows
    .filter((row) => row.preserve_data === 1)
    .map(({ query, severity, time_range }) => {
      const [from = '', to = ''] = time_range.split('..')
      return {
        query,
        from: isAbsolute(from) ? from : undefined,
        to: isAbsolute(to) ? to : undefined,
        sources: [],
        severity: severity === '' ? [] : severity.split(','),
      }
    })

const isAbsolute = (time: string): boolean => /^\d/.test(time)

const flagging = (ownerId: number) => ({
  kind: 'logstore.flag',
  input: {},
  ownerId,
  title: 'Flag the log lines that saved searches preserve',
})

/** `never` is null; what is neither 6m nor 1y is two years. */
function expiryOf(expiry: string, now: Date): string | null {
  const count = expiry in months ? months[expiry] : defaultMonths
  if (count === null || count === undefined) return null
  const at = new Date(now)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString()
}
