import { sql } from 'kysely'
import { pruneLimit } from '../store/prune-limit.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/database.ts'
import {
  type Break,
  breakAtEnd,
  type ChainEnd,
  chainEnd,
  firstBreak,
  isSignedHead,
  isSignedPruned,
  type Mark,
  markPruned,
  noteBreak,
  rowsPerCheckpoint,
  signHead,
  writeCheckpoint,
} from './chain-marks.ts'
import { checkpointOf } from './chain-key.ts'
import { entryHash, isSigned, keptDays, noHash } from './proof.ts'
import type { ActivityRow, PrunedRow } from './tables.ts'

const rowsPerBatch = 1000
/** Checking a signature takes a tenth of a millisecond. */
const marksPerTurn = 50

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
  const hash = entryHash(end.last?.hash ?? noHash, row)
  await tx
    .insertInto('activity')
    .values({ ...row, hash })
    .execute()
  await markHead(store, tx, { id, hash, breaks })
  if (id % rowsPerCheckpoint === 0) await writeCheckpoint(store, tx, { id, hash, at, breaks })
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
  const end = await walk(store, store.db, { from: oldest.id, signal })
  if ('reason' in end) return { ok: false, ...end }
  if (head === undefined || head.activity_id >= end.next)
    return broken(end.next, 'the rows from here on were cut off')
  return marksHold(store, { from: oldest.id, to: end.next - 1, head, signal })
}

/** Verifies an empty chain: it is valid on a new panel, and after every row was pruned. */
async function verifyEmpty(store: Store, head: Mark | undefined): Promise<Verification> {
  if (head === undefined) return verifyEnd(store, { ok: true, checked: 0, from: 0, to: 0 })
  const pruned = await prunedAt(store.db, head.activity_id)
  if (pruned && pruned.hash === head.hash && isSignedPruned(store, pruned))
    return { ok: true, checked: 0, from: 0, to: 0 }
  return broken(head.activity_id, 'all rows up to this one are gone')
}

interface Walk {
  /** The oldest row. */
  readonly from: number
  /** The last row; all are walked without it. */
  readonly to?: number
  /** Absent inside a transaction, which waits for nothing but the store. */
  readonly signal?: AbortSignal
}

/** Walks the rows from the oldest on; returns the first break, or what follows them. */
async function walk(
  store: Store,
  db: Store['db'],
  { from, to = Number.MAX_SAFE_INTEGER, signal }: Walk,
): Promise<Break | { readonly next: number }> {
  const first = await hashBefore(store, db, from)
  if (typeof first !== 'string') return first
  let [next, hash] = [from, first]
  while (true) {
    signal?.throwIfAborted()
    const rows = await db
      .selectFrom('activity')
      .selectAll()
      .where('id', '>=', next)
      .where('id', '<=', to)
      .orderBy('id')
      .limit(rowsPerBatch)
      .execute()
    for (const row of rows) {
      if (row.id !== next) return { broken_at: next, reason: 'this row is gone' }
      if (entryHash(hash, row) !== row.hash)
        return { broken_at: row.id, reason: 'this row is not as it was written' }
      hash = row.hash
      next = row.id + 1
    }
    if (rows.length < rowsPerBatch) return { next }
    if (signal) await nextTurn()
  }
}

/** The hash that the oldest row follows: that of the last pruned one, or none before the first. */
async function hashBefore(store: Store, db: Store['db'], oldest: number): Promise<Break | string> {
  const pruned = await prunedAt(db, oldest - 1)
  if (pruned && !isSignedPruned(store, pruned))
    return { broken_at: oldest, reason: 'the mark of pruning before this row is not signed by this panel' }
  if (pruned === undefined && oldest > 1)
    return { broken_at: oldest, reason: 'rows before this one are gone, and were not pruned' }
  return pruned?.hash ?? noHash
}

/** Returns the mark of pruning if it is at this row. */
export const prunedAt = (db: Store['db'], id: number): Promise<PrunedRow | undefined> =>
  db.selectFrom('activity_checkpoints').selectAll().where('activity_id', '=', id).executeTakeFirst()

/** Lets requests run between batches. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** An attacker who rewrites the whole chain cannot sign its checkpoints and its head. */
async function marksHold(
  store: Store,
  { from, to, head, signal }: Required<Walk> & { readonly head: Mark },
): Promise<Verification> {
  const checkpoints = await store.db
    .selectFrom('activity_signed_checkpoints')
    .selectAll()
    .where('activity_id', '>=', from)
    .orderBy('activity_id')
    .execute()
  for (const [index, mark] of checkpoints.entries()) {
    if (!isSigned(checkpointOf(store, mark)))
      return broken(mark.activity_id, 'the checkpoint at this row is not signed by this panel')
    if (index % marksPerTurn === marksPerTurn - 1) await nextTurn()
    signal.throwIfAborted()
  }
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
 * Removes rows that are older than a year, at most one day's worth (`pruneLimit`), and marks the last of
 * them, so that the rest can be verified. A break among them is recorded before it is gone with them. Returns how many.
 */
export async function pruneActivity(store: Store, now: Date | undefined): Promise<number> {
  return store.transaction(async (tx) => {
    const oldest = await endOf(tx, 'asc')
    const newest = await endOf(tx, 'desc')
    const limit = pruneLimit(now, keptDays, { oldest: oldest?.created_at, newest: newest?.created_at })
    const last = limit === undefined ? undefined : await lastBefore(tx, limit)
    if (now === undefined || oldest === undefined || last === undefined) return 0
    const found = await walk(store, tx, { from: oldest.id, to: last.id })
    if ('reason' in found) await noteFoundIn(store, tx, found, now)
    await tx.deleteFrom('activity_signed_checkpoints').where('activity_id', '<=', last.id).execute()
    await markPruned(store, tx, { ...last, at: last.created_at })
    const gone = await tx.deleteFrom('activity').where('id', '<=', last.id).executeTakeFirst()
    return Number(gone.numDeletedRows)
  })
}

/** Records a break that a check has found, so that every later checkpoint says so. */
export const noteFound = (store: Store, found: Break, now: Date): Promise<void> =>
  store.transaction((tx) => noteFoundIn(store, tx, found, now))

async function noteFoundIn(store: Store, tx: Tx, found: Break, now: Date): Promise<void> {
  const { head, last, breaks: known } = await chainEnd(tx)
  if (known.some(({ broken_at }) => broken_at === found.broken_at)) return
  const isSignedEnd = head !== undefined && isSignedHead(store, head, known)
  const end = isSignedEnd ? { id: head.activity_id, hash: head.hash } : last
  const { broken_at, reason } = found
  const noted = { found: { broken_at, reason }, breaks: known, at: now.toISOString() }
  const breaks = await noteBreak(store, tx, noted)
  if (end !== undefined) await markHead(store, tx, { ...end, breaks })
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
