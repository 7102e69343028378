import type { RowValues, Side, TableShape } from './side.ts'

const rowsAtOnce = 200

/** What a copy has copied and compared. */
export interface Copied {
  readonly tables: number
  readonly rows: number
}

/** Replaces the rows of one database by those of the other, and compares every value of every row; throws at the first that differs. */
export async function copyRows(from: Side, to: Side, tables: readonly TableShape[]): Promise<Copied> {
  for (const table of tables.toReversed()) await to.clear(table)
  for (const table of tables) await naming(table, () => copyTable(from, to, table))
  let rows = 0
  for (const table of tables) rows += await naming(table, () => compareTable(from, to, table))
  return { tables: tables.length, rows }
}

async function copyTable(from: Side, to: Side, table: TableShape): Promise<void> {
  let waiting: RowValues[] = []
  for await (const row of from.rows(table)) {
    waiting.push(to.storable(table, row))
    if (waiting.length < rowsAtOnce) continue
    await to.insert(table, waiting)
    waiting = []
  }
  if (waiting.length > 0) await to.insert(table, waiting)
}

async function compareTable(from: Side, to: Side, table: TableShape): Promise<number> {
  const copied = to.rows(table)[Symbol.asyncIterator]()
  let count = 0
  for await (const row of from.rows(table)) {
    const { value } = await copied.next()
    const found: RowValues = value ?? []
    const wanted = to.storable(table, row)
    const differing = table.columns.find((_column, index) => found[index] !== wanted[index])
    if (differing !== undefined) {
      const key = table.key.map((name) => `${name} ${String(row[table.columns.indexOf(name)])}`).join(', ')
      throw new Error(`${differing} of the row ${key} is not the same after the copy`)
    }
    count += 1
  }
  if ((await copied.next()).done !== true) throw new Error('the copy has a row more')
  return count
}

async function naming<Value>({ name }: TableShape, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new Error(`The table ${name} cannot be copied: ${messageOf(error)}`, { cause: error })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
