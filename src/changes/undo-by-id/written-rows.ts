import type { RowUndo, RowWrite } from '../../core/change.ts'
import type { Tx } from '../../store/database.ts'
import { selectRows, type StoredRow } from '../../store/select-rows.ts'
import type { Store } from '../../store/store.ts'

/** One row that a settled change wrote. */
export interface WrittenRow {
  readonly table: string
  readonly key: StoredRow
  /** The whole row before; null if there was none. */
  readonly before: StoredRow | null
  /** The written values: the whole row for an insert, the changed columns for an update; null for a deletion. */
  readonly wrote: StoredRow | null
  /** Its declaration, without the reasons. */
  readonly undo: RowUndo
}

/** The rows of a change, as undo by id needs them. */
export interface Written {
  readonly rows: readonly WrittenRow[]
  /** The reason why the rows are not restored, if there is one. */
  readonly refusal: string | undefined
  /** The reasons why rows stay as they are. */
  readonly left: readonly string[]
}

/** The number of rows up to which a change keeps what it replaced. */
const mostRows = 10_000

/** Performs the row writes of a change and returns what they replaced. */
export async function writeRecorded(store: Store, tx: Tx, writes: readonly RowWrite[]): Promise<Written> {
  const rows: WrittenRow[] = []
  const left: string[] = []
  let refusal: string | undefined
  for (const write of writes) {
    const replaced = await replacedBy(tx, write, mostRows - rows.length)
    await store.write(tx, [write])
    if (replaced.length === 0 && write.write !== 'insert') continue
    if (write.undo?.left !== undefined) {
      left.push(write.undo.left)
      continue
    }
    refusal ??= refusalOf(write, replaced) ?? (rows.length + replaced.length > mostRows ? tooMany : undefined)
    if (refusal === undefined) rows.push(...recordsOf(write, replaced))
  }
  return { rows: refusal === undefined ? rows : [], refusal, left: [...new Set(left)] }
}

const tooMany = `it wrote more than ${mostRows} rows`

/** One row more than the limit shows that there are too many. */
async function replacedBy(tx: Tx, write: RowWrite, limit: number): Promise<readonly StoredRow[]> {
  if (write.write === 'insert') return []
  return selectRows(tx, write, limit + 1)
}

function refusalOf(write: RowWrite, replaced: readonly StoredRow[]): string | undefined {
  const { undo, table } = write
  if (undo === undefined || undo.key.length === 0) return `the rows of ${table} that it wrote were not kept`
  if (write.write !== 'update') return undo[write.write]
  const changed = Object.keys(write.set).filter((column) =>
    replaced.some((row) => row[column] !== write.set[column]),
  )
  if (changed.some((column) => undo.key.includes(column))) return `it changed the key of a row of ${table}`
  return changed.map((column) => undo.columns?.[column]).find((reason) => reason !== undefined)
}

function recordsOf(write: RowWrite, replaced: readonly StoredRow[]): readonly WrittenRow[] {
  const { table } = write
  const { key: columns = [], unchecked = [] } = write.undo ?? {}
  const undo = { key: columns, unchecked }
  const keyOf = (row: StoredRow): StoredRow =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
  if (write.write === 'insert')
    return [{ table, undo, key: keyOf(write.values), before: null, wrote: write.values }]
  const wrote = write.write === 'update' ? write.set : null
  return replaced.map((before) => ({ table, undo, key: keyOf(before), before, wrote }))
}
