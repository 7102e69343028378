import { timingSafeEqual } from 'node:crypto'
import { signAt } from './chain-key.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/database.ts'
import type { BreakRow, HeadRow } from './tables.ts'

export const rowsPerCheckpoint = 1000
const keptBreaks = 100

/** A row of the chain as a signature refers to it. */
export type Mark = Pick<HeadRow, 'activity_id' | 'hash' | 'signature'>

/** An entry that a checkpoint is made for. */
interface Marked {
  readonly id: number
  readonly hash: string
  /** The time of the checkpoint. */
  readonly at: string
  readonly breaks: readonly BreakRow[]
}

/** The position of a break in the chain, and its reason. */
export type Break = Pick<BreakRow, 'broken_at' | 'reason'>

/**
 * Signs the last row that is pruned, and nothing else: whoever can write the store must not have such a
 * signature of another row. The text is that of earlier versions, as a rollback returns to one.
 */
const signPruned = (store: Store, id: number, hash: string): string =>
  store.sign(`activity checkpoint ${id} ${hash}`)

/** Signs the newest row together with the breaks recorded so far, so that none of them can be removed. */
export const signHead = (store: Store, id: number, hash: string, breaks: readonly BreakRow[]): string =>
  store.sign(['activity head', id, hash, ...breaks.map(({ signature }) => signature)].join(' '))

const signBreak = (store: Store, { id, broken_at, reason, created_at }: Omit<BreakRow, 'signature'>) =>
  store.sign(`activity break ${JSON.stringify([id, broken_at, reason, created_at])}`)

// Earlier versions signed checkpoints and heads alike: only the id tells them apart.
const signAsBefore = (store: Store, id: number, hash: string) => store.sign(`activity ${id} ${hash}`)
const isCheckpointId = (id: number) => id % rowsPerCheckpoint === 0

/** True if this panel signed the mark of pruning. */
export function isSignedPruned(store: Store, { activity_id: id, hash, signature }: Mark): boolean {
  if (isSame(signature, signPruned(store, id, hash))) return true
  return isCheckpointId(id) && isSame(signature, signAsBefore(store, id, hash))
}

/** True if this panel signed the head, with exactly these breaks. */
export function isSignedHead(
  store: Store,
  { activity_id: id, hash, signature }: Mark,
  breaks: readonly BreakRow[],
): boolean {
  if (isSame(signature, signHead(store, id, hash, breaks))) return true
  return breaks.length === 0 && !isCheckpointId(id) && isSame(signature, signAsBefore(store, id, hash))
}

/** Stores a checkpoint, which others can check. */
export async function writeCheckpoint(store: Store, tx: Tx, { id, hash, at, breaks }: Marked): Promise<void> {
  const broken_at = firstBreak(store, breaks)?.broken_at ?? null
  const { signature, created_at } = signAt(store, { id, hash, broken_at, created_at: at })
  const mark = { activity_id: id, hash, broken_at, created_at, signature }
  await tx
    .insertInto('activity_signed_checkpoints')
    .values(mark)
    .onConflict((conflict) => conflict.column('activity_id').doUpdateSet(mark)) // of a row that was cut off
    .execute()
}

/** Marks a row as the last one that is pruned, in place of the mark before. */
export async function markPruned(
  store: Store,
  tx: Tx,
  { id, hash, at }: Omit<Marked, 'breaks'>,
): Promise<void> {
  await tx.deleteFrom('activity_checkpoints').execute()
  const signature = signPruned(store, id, hash)
  await tx
    .insertInto('activity_checkpoints')
    .values({ activity_id: id, hash, signature, created_at: at })
    .execute()
}

/** The end of the chain before the next entry. */
export interface ChainEnd {
  /** The newest row, or the last pruned one if there is no other. */
  readonly last: { readonly id: number; readonly hash: string } | undefined
  readonly head: Mark | undefined
  readonly breaks: readonly BreakRow[]
}

/** Compares the end of the chain with its signed head; undefined if they agree. */
export function breakAtEnd(store: Store, { last, head, breaks }: ChainEnd): Break | undefined {
  if (head === undefined)
    return last && { broken_at: last.id, reason: 'the signed mark of the newest row is gone' }
  const { activity_id: headId } = head
  if (!isSignedHead(store, head, breaks))
    return { broken_at: headId, reason: 'the mark of the newest row is not signed by this panel' }
  const lastId = last?.id ?? 0
  if (lastId < headId) return { broken_at: lastId + 1, reason: 'the rows from here on were cut off' }
  if (lastId > headId)
    return { broken_at: headId + 1, reason: 'the rows from here on were not written by this panel' }
  return last?.hash === head.hash
    ? undefined
    : { broken_at: headId, reason: 'this row is not as it was written' }
}

/** Reads the end of the chain, inside a transaction, so that its parts are consistent. */
export async function chainEnd(tx: Tx): Promise<ChainEnd> {
  const newest = tx.selectFrom('activity').select(['id', 'hash']).orderBy('id', 'desc').limit(1)
  const pruned = tx
    .selectFrom('activity_checkpoints')
    .select(['activity_id as id', 'hash'])
    .orderBy('activity_id', 'desc')
    .limit(1)
  return {
    last: (await newest.executeTakeFirst()) ?? (await pruned.executeTakeFirst()),
    head: await tx.selectFrom('activity_head').selectAll().executeTakeFirst(),
    breaks: await tx.selectFrom('activity_breaks').selectAll().orderBy('id').limit(keptBreaks).execute(),
  }
}

/** Records a break permanently; the first hundred are kept. */
export async function noteBreak(
  store: Store,
  tx: Tx,
  { found, breaks, at }: { readonly found: Break; readonly breaks: readonly BreakRow[]; readonly at: string },
): Promise<readonly BreakRow[]> {
  if (breaks.length >= keptBreaks) return breaks
  const row = { id: (breaks.at(-1)?.id ?? 0) + 1, ...found, created_at: at }
  const signed = { ...row, signature: signBreak(store, row) }
  await tx.insertInto('activity_breaks').values(signed).execute()
  return [...breaks, signed]
}

/** The earliest break. A record that was tampered with still indicates a break. */
export function firstBreak(store: Store, breaks: readonly BreakRow[]): Break | undefined {
  const [first] = breaks.toSorted((a, b) => a.broken_at - b.broken_at)
  if (first === undefined) return undefined
  const { broken_at, reason, signature } = first
  return isSame(signature, signBreak(store, first))
    ? { broken_at, reason }
    : { broken_at, reason: 'the mark of a break is not signed by this panel' }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
