import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { pruneLimit } from '../store/prune-limit.ts'
import type { Store, Tx } from '../store/store.ts'
import type { ActivityRow, CheckpointRow } from './tables.ts'

const rowsPerCheckpoint = 1000
const rowsPerBatch = 1000
const keptDays = 365
const start = '0'.repeat(64)

export type ActivityEntry = Omit<ActivityRow, 'id' | 'hash'>

/** Appends an entry to the chain, inside the transaction that settles what it tells of. */
export async function appendActivity(store: Store, tx: Tx, entry: ActivityEntry): Promise<void> {
  const last = await tx
    .selectFrom('activity')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const before = last ?? (await lastCheckpoint(tx))
  const id = (before?.id ?? 0) + 1
  const row = { id, ...wellFormed(entry), hash: '' }
  const hash = hashOf(before?.hash ?? start, row)
  await tx
    .insertInto('activity')
    .values({ ...row, hash })
    .execute()
  await markHead(store, tx, { id, hash })
  if (id % rowsPerCheckpoint === 0) await checkpoint(store, tx, { id, hash }, entry.created_at)
}

export type Verification =
  | { readonly ok: true; readonly checked: number; readonly from: number; readonly to: number }
  | { readonly ok: false; readonly broken_at: number; readonly reason: string }

/** Walks the chain from the oldest row that is kept and says where it is broken, if anywhere. */
export async function verifyActivity(store: Store, signal: AbortSignal): Promise<Verification> {
  const head = await store.db.selectFrom('activity_head').selectAll().executeTakeFirst()
  if (head && !isSigned(store, head))
    return {
      ok: false,
      broken_at: head.activity_id,
      reason: 'the mark of the newest row is not signed by this panel',
    }
  const oldest = await store.db.selectFrom('activity').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (oldest === undefined) return verifyEmpty(store, head)
  const base = await store.db
    .selectFrom('activity_checkpoints')
    .selectAll()
    .where('activity_id', '=', oldest.id - 1)
    .executeTakeFirst()
  if (oldest.id > 1 && base === undefined)
    return { ok: false, broken_at: oldest.id, reason: 'rows before this one are gone without a checkpoint' }
  if (base && !isSigned(store, base))
    return {
      ok: false,
      broken_at: oldest.id,
      reason: 'the checkpoint before this row is not signed by this panel',
    }
  return walk(store, { from: oldest.id, hash: base?.hash ?? start, head, signal })
}

/** No row is kept: right for a new panel, and after everything up to the newest row was pruned behind its checkpoint. */
async function verifyEmpty(store: Store, head: Mark | undefined): Promise<Verification> {
  if (head === undefined) return { ok: true, checked: 0, from: 0, to: 0 }
  const base = await store.db
    .selectFrom('activity_checkpoints')
    .selectAll()
    .where('activity_id', '=', head.activity_id)
    .executeTakeFirst()
  if (base && base.hash === head.hash && isSigned(store, base))
    return { ok: true, checked: 0, from: 0, to: 0 }
  return { ok: false, broken_at: head.activity_id, reason: 'all rows up to this one are gone' }
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
      if (row.id !== next) return { ok: false, broken_at: next, reason: 'this row is gone' }
      if (hashOf(hash, row) !== row.hash)
        return { ok: false, broken_at: row.id, reason: 'this row is not as it was written' }
      hash = row.hash
      next = row.id + 1
    }
    if (rows.length < rowsPerBatch) break
    await new Promise((resolve) => setImmediate(resolve)) // lets requests in between batches
  }
  if (head === undefined || head.activity_id >= next)
    return { ok: false, broken_at: next, reason: 'the rows from here on were cut off' }
  return marksHold(store, { from, to: next - 1, head })
}

/** Somebody who rewrites the whole chain cannot sign its checkpoints and its head. */
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
  for (const mark of [...checkpoints, head]) {
    const row = await store.db
      .selectFrom('activity')
      .select('hash')
      .where('id', '=', mark.activity_id)
      .executeTakeFirst()
    if (!isSigned(store, mark))
      return {
        ok: false,
        broken_at: mark.activity_id,
        reason: 'the checkpoint at this row is not signed by this panel',
      }
    if (row?.hash !== mark.hash)
      return {
        ok: false,
        broken_at: mark.activity_id,
        reason: 'the row does not match its signed checkpoint',
      }
  }
  return { ok: true, checked: to - from + 1, from, to }
}

/**
 * Removes rows that are older than a year, at most those of a day (`pruneLimit`), behind a signed checkpoint at the last of
 * them, so that what stays can be verified. Answers how many.
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

/** The last row before the first that is not older: rows that a clock set back has made stay behind a younger one. */
async function lastBefore(tx: Tx, limit: string) {
  const younger = await tx
    .selectFrom('activity')
    .select('id')
    .where(sql<string>`+created_at`, '>=', limit) // without its index: the row is among the first
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

async function lastCheckpoint(tx: Tx): Promise<{ readonly id: number; readonly hash: string } | undefined> {
  return tx
    .selectFrom('activity_checkpoints')
    .select(['activity_id as id', 'hash'])
    .orderBy('activity_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** One signed row names the newest entry, so that entries cut off at the end are missed. */
async function markHead(
  store: Store,
  tx: Tx,
  { id, hash }: { readonly id: number; readonly hash: string },
): Promise<void> {
  const head = { activity_id: id, hash, signature: signatureOf(store, id, hash) }
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
  await tx
    .insertInto('activity_checkpoints')
    .values({ activity_id: id, hash, signature: signatureOf(store, id, hash), created_at: at })
    .execute()
}

type Mark = Pick<CheckpointRow, 'activity_id' | 'hash' | 'signature'>

const signatureOf = (store: Store, id: number, hash: string): string => store.sign(`activity ${id} ${hash}`)

function isSigned(store: Store, mark: Mark): boolean {
  const wanted = Buffer.from(signatureOf(store, mark.activity_id, mark.hash))
  const given = Buffer.from(mark.signature)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/** SQLite replaces half a surrogate pair, which a cut message may end in; the hash must be of what is stored. */
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
  ]
  return createHash('sha256').update(before).update('\n').update(JSON.stringify(fields)).digest('hex')
}
