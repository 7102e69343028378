import type { RowWrite } from '../../core/change.ts'
import { Conflict } from '../../core/problem.ts'
import { selectRows, type StoredRow } from '../../store/select-rows.ts'
import type { Store } from '../../store/store.ts'
import type { WrittenRow } from './written-rows.ts'

/**
 * The writes that restore the rows of a settled change, the last one first. Throws a conflict that names the
 * first row that no longer contains what the change wrote.
 */
export async function reversedRows(
  { db }: Pick<Store, 'db'>,
  rows: readonly WrittenRow[],
  now: Date,
): Promise<readonly RowWrite[]> {
  const states = new Map<string, StoredRow | null>()
  const writes: RowWrite[] = []
  for (const row of rows.toReversed()) {
    const name = JSON.stringify([row.table, row.key])
    const current = states.has(name) ? states.get(name) : (await selectRows(db, where(row), 1))[0]
    assertAsWritten(row, current ?? null)
    const { write, after } = reversed(row, current ?? null, now)
    states.set(name, after)
    writes.push(write)
  }
  return writes
}

const where = ({ table, key }: WrittenRow) => ({ table, where: key })

function assertAsWritten({ table, key, wrote, undo }: WrittenRow, current: StoredRow | null): void {
  const named = `${table} ${Object.values(key).join(' ')}`
  if (wrote === null && current !== null) throw Conflict(`${named}: it has been created again since`)
  if (wrote !== null && current === null) throw Conflict(`${named}: it has been removed since`)
  const changed = Object.keys(wrote ?? {}).filter(
    (column) => !undo.unchecked?.includes(column) && current?.[column] !== wrote?.[column],
  )
  if (changed.length > 0) throw Conflict(`${named}: ${changed.join(', ')} has been changed since`)
}

interface Reversed {
  readonly write: RowWrite
  /** The row after the write; null if it is deleted. */
  readonly after: StoredRow | null
}

function reversed(
  { table, key, before, wrote, undo }: WrittenRow,
  current: StoredRow | null,
  now: Date,
): Reversed {
  if (before === null) return { write: { write: 'delete', table, where: key, undo }, after: null }
  if (current === null) {
    const values = { ...before, ...freshMarks(before, before, now) }
    return { write: { write: 'insert', table, values, undo }, after: values }
  }
  const former = Object.fromEntries(
    Object.keys(wrote ?? {}).map((column) => [column, before[column] ?? null]),
  )
  const set = { ...former, ...freshMarks(former, current, now) }
  const revision: StoredRow = current['revision'] === undefined ? {} : { revision: current['revision'] }
  const write = { write: 'update' as const, table, where: { ...key, ...revision }, set, undo }
  return { write, after: { ...current, ...set } }
}

/** A reader must notice the write: the row gets the next revision and the time of the undo. */
function freshMarks(written: StoredRow, current: StoredRow, now: Date): StoredRow {
  return {
    ...('revision' in written && { revision: Number(current['revision']) + 1 }),
    ...('updated_at' in written && { updated_at: now.toISOString() }),
  }
}

/** Throws the conflict that the writes would meet, such as a name that another row has taken. */
export async function tryRows(store: Store, writes: readonly RowWrite[]): Promise<void> {
  try {
    await store.rehearse(writes)
  } catch (error) {
    throw takenOf(error) ?? error
  }
}

/** SQLite names the columns of a unique key, and nothing of a foreign key. */
function takenOf(error: unknown): Error | undefined {
  const { message } = error instanceof Error && error.cause instanceof Error ? error.cause : Error()
  const [, kind, columns] = /(UNIQUE|FOREIGN KEY) constraint failed(?:: (.*))?/.exec(message) ?? []
  if (kind === 'UNIQUE') return Conflict(`${columns}: another row has the same value by now`)
  return kind === undefined
    ? undefined
    : Conflict('other rows refer to what the change made, or what they need is gone')
}
