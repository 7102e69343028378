import { Readable } from 'node:stream'
import type { ChangedStep } from '../../changes/shown-steps.ts'
import type { ActivityRow } from '../../changes/tables.ts'
import { whyNotUndone } from '../../changes/undo-by-id/index.ts'
import type { Caller } from '../../core/caller.ts'
import { NotFound, RateLimited, retryAfter } from '../../core/problem.ts'
import { findUsers } from '../users/index.ts'
import type { Activity } from './context.ts'
import { findEntries, type Search } from './search.ts'
import type { EntryFilter, UndoFacts } from './store.ts'

const exportBatch = 1000

/** What is asked for: entries of an area are those of its actions. */
interface Asked extends Omit<EntryFilter, 'actions'> {
  readonly area?: string
}

interface PageQuery extends Asked {
  readonly cursor?: number
  readonly limit: number
}

interface Reading {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** Reads one page of matching entries, newest first. */
export async function readEntries(
  on: Activity,
  { cursor, limit, ...filter }: PageQuery,
  { caller, signal }: Reading,
) {
  const find = () => findAll(on, { filter: filterOf(on, filter), cursor, limit: limit + 1, signal })
  const rows = await (isFiltered(filter) ? on.queue.run(caller.user.id, find) : find()) // the newest page reads one window
  const shown = rows.slice(0, limit)
  const items = shown.map(await describerOf(on, shown))
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Returns an entry. Callers who are not superusers see their own. */
export async function loadEntry(on: Activity, id: number, caller: Caller): Promise<ActivityRow> {
  const row = await on.queries.byId(id)
  if (row === undefined || !(caller.user.isAdmin || row.user_id === caller.user.id))
    throw NotFound(`id: there is no entry ${id}`)
  return row
}

/** Shows an entry with what its change did. */
export async function showDetails(on: Activity, row: ActivityRow) {
  const described = await describerOf(on, [row])
  return { ...described(row), steps: (await on.stepsOf(row)).map(showStep) }
}

const showStep = ({ title, files, objects }: ChangedStep) => ({
  title,
  ...(files && { files: [...files] }),
  ...(objects && { objects: [...objects] }),
})

/** Returns the actions of all areas, for a filter. */
export const listActions = ({ actions }: Activity) =>
  [...actions()].map(([action, { title, area }]) => ({ action, title, area }))

/** Returns what adds to each of the rows what people read: titles, addresses, and whether it can be undone. */
async function describerOf(on: Activity, rows: readonly ActivityRow[]) {
  const facts = await on.queries.undoFacts(rows.flatMap(({ change_id: id }) => id ?? []))
  const emails = await emailsOf(on, rows)
  return (row: ActivityRow) => ({
    ...showEntry(row),
    title: on.actions().get(row.action)?.title ?? row.action,
    user_email: row.user_id === null ? null : (emails.get(row.user_id) ?? null),
    undo_refusal: refusalOf(facts, row),
  })
}

function filterOf({ actions }: Activity, { area, ...filter }: Asked): EntryFilter {
  if (!area) return filter
  const ofArea = [...actions()].filter(([, each]) => each.area === area).map(([action]) => action)
  return { ...filter, actions: ofArea }
}

async function emailsOf(on: Activity, rows: readonly ActivityRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(rows.flatMap(({ user_id: id }) => id ?? []))
  const users = await findUsers(on.users, [...ids])
  return new Map(users.map(({ id, email }) => [id, email]))
}

function refusalOf(facts: ReadonlyMap<number, UndoFacts>, { change_id: id }: ActivityRow): string | null {
  const found = id === null ? undefined : facts.get(id)
  return found === undefined ? 'it changed nothing' : whyNotUndone(found)
}

/** Returns all matching entries, newest first, as JSON lines; one export per caller at a time. */
export function exportEntries(on: Activity, asked: Asked, { caller, signal }: Reading): Readable {
  const filter = filterOf(on, asked)
  const end = beginExport(on.exporting, caller.user.id)
  const find = (cursor?: number) => findAll(on, { filter, cursor, limit: exportBatch, signal })
  return Readable.from(batchesOf(find, end)).once('close', end) // a stream that was never read has not started its generator
}

const findAll = ({ queries, queue }: Activity, search: Search) => findEntries(queries, queue.turn, search)

const isFiltered = (filter: Asked): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '')

/** Reserves the caller's export; the returned function releases it, and may be called more than once. */
export function beginExport(exporting: Map<number, object>, callerId: number): () => void {
  if (exporting.has(callerId))
    throw RateLimited('Your last export is still running: wait until it ends', retryAfter(5))
  const mark = {}
  exporting.set(callerId, mark)
  return () => void (exporting.get(callerId) === mark && exporting.delete(callerId))
}

async function* batchesOf(
  find: (cursor?: number) => Promise<readonly ActivityRow[]>,
  end: () => void,
): AsyncGenerator<string> {
  try {
    for (let cursor: number | undefined; ;) {
      const rows = await find(cursor)
      if (rows.length > 0)
        yield rows.map((row) => `${JSON.stringify({ ...showEntry(row), hash: row.hash })}\n`).join('')
      if (rows.length < exportBatch) return
      cursor = rows.at(-1)?.id
    }
  } finally {
    end()
  }
}

function showEntry({ hash: _hash, change_id: _change, request, ...row }: ActivityRow) {
  return { ...row, request: JSON.parse(request) as unknown }
}
