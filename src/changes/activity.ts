import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { pruneLimit } from '../store/prune-limit.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/database.ts'
import {
  breakAtEnd,
  type ChainEnd,
  chainEnd,
  firstBreak,
  isSignedCheckpoint,
  isSignedHead,
  type Mark,
  noteBreak,
  rowsPerCheckpoint,
  signCheckpoint,
  signHead,
} from './chain-marks.ts'
import type { ActivityRow } from './tables.ts'

const rowsPerBatch = 1000
const keptDays = 365
const start = '0'.repeat(64)

export type ActivityEntry = Omit<ActivityRow, 'id' | 'hash' | 'mcp_key_id'> & {
  readonly mcp_key_id?: number | null
}

/**
 * Appends an entry to the chain, inside the transaction that settles the change it describes. If the end of
 * the chain does not match its signed head, a break is recorded permanently before the head is signed again.
 * Returns the id of the entry.
 */
export async function appendActivity(store: Store, tx: Tx, entry: ActivityEntry): Promise<number> {
  const end = await chainEnd(tx)
  const found = breakAtEnd(store, end)
  const at = entry.created_at
  const breaks = found ? await noteBreak(store, tx, { found, breaks: end.breaks, at }) : end.breaks
  const id = nextId(store, end)
  const row = { id, mcp_key_id: null, ...wellFormed(entry), hash: '' }
  const hash = hashOf(end.last?.hash ?? start, row)
  await tx
    .insertInto('activity')
    .values({ ...row, hash })
    .execute()
  await markHead(store, tx, { id, hash, breaks })
  if (id % rowsPerCheckpoint === 0) await checkpoint(store, tx, { id, hash }, at)
  return id
}

/** Ids of rows that were cut off are not assigned again. */
function nextId(store: Store, { last, head, breaks }: ChainEnd): number {
  const headId = head && isSignedHead(store, head, breaks) ? head.activity_id : 0
  return Math.max(last?.id ?? 0, headId) + 1
}

export type Verification =
  | { readonly ok: true; readonly checked: number; readonly from: number; readonly to: number }
  | { readonly ok: false; readonly broken_at: number; readonly reason: string }

/**
 * Walks the chain from the oldest kept row, and returns the first break, whether found now or recorded
 * before.
 */
export async function verifyActivity(store: Store, signal: AbortSignal): Promise<Verification> {
  const { head, breaks } = await store.transaction(chainEnd)
  const found =
    head && !isSignedHead(store, head, breaks)
      ? broken(head.activity_id, 'the mark of the newest row is not signed by this panel')
      : await verifyRows(store, head, signal)
  const noted = firstBreak(store, breaks)
  if (noted && (found.ok || noted.broken_at <= found.broken_at)) return { ok: false, ...noted }
  return found
}

const broken = (broken_at: number, reason: string): Verification => ({ ok: false, broken_at, reason })

async function verifyRows(store: Store, head: Mark | undefined, signal: AbortSignal): Promise<Verification> {
  const oldest = await store.db.selectFrom('activity').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (oldest === undefined) return verifyEmpty(store, head)
  const base = await store.db
    .selectFrom('activity_checkpoints')
    .selectAll()
    .where('activity_id', '=', oldest.id - 1)
    .executeTakeFirst()
  if (oldest.id > 1 && base === undefined)
    return broken(oldest.id, 'rows before this one are gone without a checkpoint')
  if (base && !isSignedCheckpoint(store, base))
    return broken(oldest.id, 'the checkpoint before this row is not signed by this panel')
  return walk(store, { from: oldest.id, hash: base?.hash ?? start, head, signal })
}

/**
 * Verifies an empty chain: it is valid on a new panel, and after every row was pruned behind the checkpoint
 * of the newest.
 */
async function verifyEmpty(store: Store, head: Mark | undefined): Promise<Verification> {
  if (head === undefined) return verifyEnd(store, { ok: true, checked: 0, from: 0, to: 0 })
  const base = await store.db
    .selectFrom('activity_checkpoints')
    .selectAll()
    .where('activity_id', '=', head.activity_id)
    .executeTakeFirst()
  if (base && base.hash === head.hash && isSignedCheckpoint(store, base))
    return { ok: true, checked: 0, from: 0, to: 0 }
  return broken(head.activity_id, 'all rows up to this one are gone')
}

interface Walk {
  readonly from: number
  readonly hash: string
  readonly head: Mark | undefined
  readonly signal: AbortSignal
}

async function walk(store: Store, { from, hash: first, head, signal }: Walk): Promise<Verification> {
  let hash = first
  let next = from
  while (true) {
    signal.throwIfAborted()
    const rows = await store.db
      .selectFrom('activity')
      .selectAll()
      .where('id', '>=', next)
      .orderBy('id')
      .limit(rowsPerBatch)
      .execute()
    for (const row of rows) {
      if (row.id !== next) return broken(next, 'this row is gone')
      if (hashOf(hash, row) !== row.hash) return broken(row.id, 'this row is not as it was written')
      hash = row.hash
      next = row.id + 1
    }
    if (rows.length < rowsPerBatch) break
    await new Promise((resolve) => setImmediate(resolve)) // lets requests run between batches
  }
  if (head === undefined || head.activity_id >= next)
    return broken(next, 'the rows from here on were cut off')
  return marksHold(store, { from, to: next - 1, head })
}

/** An attacker who rewrites the whole chain cannot sign its checkpoints and its head. */
async function marksHold(
  store: Store,
  { from, to, head }: { readonly from: number; readonly to: number; readonly head: Mark },
): Promise<Verification> {
  const checkpoints = await store.db
    .selectFrom('activity_checkpoints')
    .selectAll()
    .where('activity_id', '>=', from)
    .orderBy('activity_id')
    .execute()
  for (const mark of checkpoints)
    if (!isSignedCheckpoint(store, mark))
      return broken(mark.activity_id, 'the checkpoint at this row is not signed by this panel')
  for (const mark of [...checkpoints, head]) {
    const row = await store.db
      .selectFrom('activity')
      .select('hash')
      .where('id', '=', mark.activity_id)
      .executeTakeFirst()
    if (row?.hash !== mark.hash)
      return broken(mark.activity_id, 'the row does not match its signed checkpoint')
  }
  return verifyEnd(store, { ok: true, checked: to - from + 1, from, to })
}

/**
 * Rows after the head are not this panel's, unless the head advanced with them while the others were read.
 */
async function verifyEnd(store: Store, verified: Verification): Promise<Verification> {
  const found = breakAtEnd(store, await store.transaction(chainEnd))
  return found ? { ok: false, ...found } : verified
}

/**
 * Removes rows that are older than a year, at most one day's worth (`pruneLimit`), behind a signed checkpoint
 * at the last of them, so that the rest can be verified. Returns how many.
 */
export async function pruneActivity(store: Store, now: Date | undefined): Promise<number> {
  return store.transaction(async (tx) => {
    const oldest = await endOf(tx, 'asc')
    const newest = await endOf(tx, 'desc')
    const limit = pruneLimit(now, keptDays, { oldest: oldest?.created_at, newest: newest?.created_at })
    const last = limit === undefined ? undefined : await lastBefore(tx, limit)
    if (last === undefined) return 0
    await tx.deleteFrom('activity_checkpoints').where('activity_id', '<=', last.id).execute()
    await checkpoint(store, tx, last, last.created_at)
    const gone = await tx.deleteFrom('activity').where('id', '<=', last.id).executeTakeFirst()
    return Number(gone.numDeletedRows)
  })
}

const endOf = (tx: Tx, order: 'asc' | 'desc') =>
  tx.selectFrom('activity').select(['id', 'created_at']).orderBy('id', order).limit(1).executeTakeFirst()

/**
 * The last row before the first one that is too young to prune. A clock that was set back can leave an old
 * row after a younger one; that row is kept.
 */
async function lastBefore(tx: Tx, limit: string) {
  const younger = await tx
    .selectFrom('activity')
    .select('id')
    .where(sql<string>`created_at || ''`, '>=', limit) // without its index: the row is among the first
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return tx
    .selectFrom('activity')
    .select(['id', 'hash', 'created_at'])
    .where('id', '<', younger?.id ?? 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** One signed row names the newest entry, so that missing entries at the end are detected. */
async function markHead(
  store: Store,
  tx: Tx,
  { id, hash, breaks }: { readonly id: number; readonly hash: string; readonly breaks: ChainEnd['breaks'] },
): Promise<void> {
  const head = { activity_id: id, hash, signature: signHead(store, id, hash, breaks) }
  await tx
    .insertInto('activity_head')
    .values({ slot: 1, ...head })
    .onConflict((conflict) => conflict.column('slot').doUpdateSet(head))
    .execute()
}

async function checkpoint(
  store: Store,
  tx: Tx,
  { id, hash }: { readonly id: number; readonly hash: string },
  at: string,
): Promise<void> {
  const mark = { activity_id: id, hash, signature: signCheckpoint(store, id, hash), created_at: at }
  await tx
    .insertInto('activity_checkpoints')
    .values(mark)
    .onConflict((conflict) => conflict.column('activity_id').doUpdateSet(mark)) // of a row that was cut off
    .execute()
}

/**
 * SQLite replaces half a surrogate pair, which can end a truncated message; the hash must be that of the
 * stored text.
 */
function wellFormed(entry: ActivityEntry): ActivityEntry {
  const fields = Object.entries(entry).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  ])
  return Object.fromEntries(fields) as ActivityEntry
}

function hashOf(before: string, row: ActivityRow): string {
  const fields = [
    row.id,
    row.action,
    row.user_id,
    row.key_id,
    row.ip,
    row.method,
    row.path,
    row.request,
    row.status,
    row.duration_ms,
    row.request_id,
    row.change_id,
    row.message,
    row.created_at,
    ...(row.mcp_key_id === null ? [] : [row.mcp_key_id]), // absent from the rows of earlier panels
  ]
  return createHash('sha256').update(before).update('\n').update(JSON.stringify(fields)).digest('hex')
}
