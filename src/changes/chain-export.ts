import type { Store } from '../store/store.ts'
import type { Tx } from '../store/database.ts'
import { checkpointOf, signAt } from './chain-key.ts'
import {
  breakAtEnd,
  type ChainEnd,
  chainEnd,
  firstBreak,
  isSignedCheckpoint,
  writeCheckpoint,
} from './chain-marks.ts'
import { canonical, type Checkpoint, exportFormat, noHash } from './proof.ts'
import type { CheckpointRow } from './tables.ts'

const rowsPerBatch = 500

/** Signs the newest entry; stores nothing. */
export async function signNewest(store: Store, now: Date): Promise<Checkpoint> {
  return signEnd(store, await store.transaction(chainEnd), now)
}

/** The statement about a chain that was cut off is about the entry that was the newest. */
function signEnd(store: Store, end: ChainEnd, now: Date): Checkpoint {
  const breaks = [breakAtEnd(store, end), firstBreak(store, end.breaks)].flatMap(
    (each) => each?.broken_at ?? [],
  )
  const newest = end.head && { id: end.head.activity_id, hash: end.head.hash }
  return signAt(store, {
    ...(newest ?? end.last ?? { id: 0, hash: noHash }),
    broken_at: breaks.length === 0 ? null : Math.min(...breaks),
    created_at: now.toISOString(),
  })
}

/** Stores a checkpoint at the newest entry unless it has one, or is not as the panel has written it. Returns its id. */
export async function checkpointNewest(store: Store, now: Date): Promise<number | undefined> {
  return store.transaction(async (tx) => {
    const end = await chainEnd(tx)
    if (end.last === undefined || breakAtEnd(store, end)) return undefined
    const { id, hash } = end.last
    const known = await checkpointAt(tx, id)
    if (typeof known?.ed25519 === 'string') return undefined
    await writeCheckpoint(store, tx, { id, hash, at: now.toISOString(), breaks: end.breaks })
    return id
  })
}

const checkpointAt = (tx: Tx, id: number): Promise<CheckpointRow | undefined> =>
  tx.selectFrom('activity_checkpoints').selectAll().where('activity_id', '=', id).executeTakeFirst()

interface Ends {
  /** The id of the oldest entry. */
  readonly from: number
  readonly anchor: Checkpoint | null
  readonly newest: Checkpoint
}

/** Yields the lines of an export that proves itself, in batches: decision 0122 has the format. */
export async function* exportChain(store: Store, now: Date, signal: AbortSignal): AsyncGenerator<string> {
  const { from, anchor, newest } = await endsOf(store, now)
  yield line({ activity: { anchor, format: exportFormat, key: newest.key, newest } })
  for (let next = from; next <= newest.id;) {
    signal.throwIfAborted()
    const batch = await readBatch(store, next, newest.id)
    if (batch.rows.length === 0) return
    yield linesOf(store, batch)
    next = (batch.rows.at(-1)?.id ?? next) + 1
    await new Promise<void>((resolve) => void setImmediate(resolve)) // lets requests run between batches
  }
}

async function endsOf(store: Store, now: Date): Promise<Ends> {
  return store.transaction(async (tx) => {
    const end = await chainEnd(tx)
    const newest = signEnd(store, end, now)
    const oldest = await tx.selectFrom('activity').select('id').orderBy('id').limit(1).executeTakeFirst()
    const from = oldest?.id ?? newest.id + 1
    const base = from > 1 ? await checkpointAt(tx, from - 1) : undefined
    return { from, newest, anchor: base === undefined ? null : anchorOf(store, base) }
  })
}

/** The checkpoint before the oldest entry; an earlier panel has only its own mark there. */
function anchorOf(store: Store, base: CheckpointRow): Checkpoint | null {
  if (!isSignedCheckpoint(store, base)) return null
  const { activity_id: id, hash, created_at } = base
  return checkpointOf(store, base) ?? signAt(store, { id, hash, broken_at: null, created_at })
}

type Batch = Awaited<ReturnType<typeof readBatch>>

/** Reads entries and the checkpoints among them; throws if pruning has removed what comes next. */
async function readBatch(store: Store, from: number, to: number) {
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
    const checkpoints = await tx
      .selectFrom('activity_checkpoints')
      .selectAll()
      .where('activity_id', '>=', from)
      .where('activity_id', '<=', rows.at(-1)?.id ?? 0)
      .orderBy('activity_id')
      .execute()
    return { rows, checkpoints }
  })
}

function linesOf(store: Store, { rows, checkpoints }: Batch): string {
  const marks = new Map(checkpoints.map((row) => [row.activity_id, checkpointOf(store, row)]))
  return rows
    .map((row) => {
      const checkpoint = marks.get(row.id)
      return line({ entry: row }) + (checkpoint ? line({ checkpoint }) : '')
    })
    .join('')
}

const line = (value: object): string => `${canonical(value)}\n`
