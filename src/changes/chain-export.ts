import type { Store } from '../store/store.ts'
import { prunedAt } from './activity.ts'
import { checkpointOf, signAt, signHeader } from './chain-key.ts'
import {
  breakAtEnd,
  type ChainEnd,
  chainEnd,
  firstBreak,
  isSignedPruned,
  writeCheckpoint,
} from './chain-marks.ts'
import { canonical, type Checkpoint, type ExportHeader, noHash } from './proof.ts'
import type { ActivityRow } from './tables.ts'

const rowsPerBatch = 500

/** Signs the newest entry; stores nothing. */
export async function signNewest(store: Store, now: Date): Promise<Checkpoint> {
  return signAt(store, aboutEnd(store, await store.transaction(chainEnd), now))
}

/** The statement about a chain that was cut off is about the entry that was the newest. */
function aboutEnd(store: Store, end: ChainEnd, now: Date) {
  const breaks = [breakAtEnd(store, end), firstBreak(store, end.breaks)].flatMap(
    (each) => each?.broken_at ?? [],
  )
  const newest = end.head && { id: end.head.activity_id, hash: end.head.hash }
  return {
    ...(newest ?? end.last ?? { id: 0, hash: noHash }),
    broken_at: breaks.length === 0 ? null : Math.min(...breaks),
    created_at: now.toISOString(),
  }
}

/** Stores a checkpoint at the newest entry unless it has one, or is not as the panel has written it. Returns its id. */
export async function checkpointNewest(store: Store, now: Date): Promise<number | undefined> {
  return store.transaction(async (tx) => {
    const end = await chainEnd(tx)
    if (end.last === undefined || breakAtEnd(store, end)) return undefined
    const { id, hash } = end.last
    const known = await tx
      .selectFrom('activity_signed_checkpoints')
      .select('hash')
      .where('activity_id', '=', id)
      .executeTakeFirst()
    if (known?.hash === hash) return undefined
    await writeCheckpoint(store, tx, { id, hash, at: now.toISOString(), breaks: end.breaks })
    return id
  })
}

interface Contents {
  /** The id of the oldest entry. */
  readonly from: number
  readonly header: ExportHeader
  readonly checkpoints: ReadonlyMap<number, Checkpoint>
}

/** Yields the lines of an export that proves itself, in batches: decision 0122 has the format. */
export async function* exportChain(store: Store, now: Date, signal: AbortSignal): AsyncGenerator<string> {
  const { from, header, checkpoints } = await contentsOf(store, now)
  const { newest } = header
  yield line({ activity: header })
  for (let next = from; next <= newest.id;) {
    signal.throwIfAborted()
    const rows = await readBatch(store, next, newest.id)
    if (rows.length === 0) return
    yield linesOf(rows, checkpoints)
    next = (rows.at(-1)?.id ?? next) + 1
    await new Promise<void>((resolve) => void setImmediate(resolve)) // lets requests run between batches
  }
}

/** The checkpoints are read at once, as the header says how many there are: some thousand a year. */
async function contentsOf(store: Store, now: Date): Promise<Contents> {
  return store.transaction(async (tx) => {
    const { id, hash, ...rest } = aboutEnd(store, await chainEnd(tx), now)
    const oldest = await tx.selectFrom('activity').select('id').orderBy('id').limit(1).executeTakeFirst()
    const from = oldest?.id ?? id + 1
    const pruned = await prunedAt(tx, from - 1)
    const anchor =
      pruned && isSignedPruned(store, pruned) ? { id: pruned.activity_id, hash: pruned.hash } : null
    const rows = await tx
      .selectFrom('activity_signed_checkpoints')
      .selectAll()
      .where('activity_id', '>=', from)
      .where('activity_id', '<=', id)
      .execute()
    const checkpoints = new Map(rows.map((row) => [row.activity_id, checkpointOf(store, row)]))
    const header = { ...rest, anchor, newest: { id, hash }, checkpoints: checkpoints.size }
    return { from, header: signHeader(store, header), checkpoints }
  })
}

/** Reads entries; throws if pruning has removed what comes next. */
async function readBatch(store: Store, from: number, to: number): Promise<readonly ActivityRow[]> {
  return store.transaction(async (tx) => {
    const rows = await tx
      .selectFrom('activity')
      .selectAll()
      .where('id', '>=', from)
      .where('id', '<=', to)
      .orderBy('id')
      .limit(rowsPerBatch)
      .execute()
    const oldest = await tx.selectFrom('activity').select('id').orderBy('id').limit(1).executeTakeFirst()
    if (oldest !== undefined && oldest.id > from)
      throw new Error('Entries were pruned while they were exported: export again')
    return rows
  })
}

const linesOf = (rows: readonly ActivityRow[], checkpoints: Contents['checkpoints']): string =>
  rows
    .map((row) => {
      const checkpoint = checkpoints.get(row.id)
      return line({ entry: row }) + (checkpoint ? line({ checkpoint }) : '')
    })
    .join('')

const line = (value: object): string => `${canonical(value)}\n`
