import { Problem } from '../../core/problem.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'

/** A table or view of a database; `rows` is null where they were not counted. */
export interface TableCount {
  readonly name: string
  readonly rows: number | null
}

/** The same with the time of the last write, by which a later look knows whether the count is still right. */
export interface SeenTable extends TableCount {
  readonly writtenAt: string | null
}

interface Present {
  readonly name: string
  readonly writtenAt: string | null
  readonly isCountable: boolean
}

/** Counting reads a whole table; a larger one would delay its backup. */
const mostCountedBytes = 256 * 1024 * 1024
/** The server tells times in seconds: a second write within the same one is not seen. */
const settledSeconds = 2

/** Lists the tables and views of a database, and counts the rows of tables that nobody writes to now. */
export async function seeTables(
  connection: SqlConnection,
  database: string,
  { countsAll = false }: { readonly countsAll?: boolean } = {},
): Promise<readonly SeenTable[]> {
  const seen: SeenTable[] = []
  for (const { name, writtenAt, isCountable } of await presentIn(connection, database, countsAll))
    seen.push({ name, writtenAt, rows: isCountable ? await countRows(connection, database, name) : null })
  return seen
}

/** Returns the tables that are still there; those that were written to since have no count. */
export async function unchangedTables(
  connection: SqlConnection,
  database: string,
  seen: readonly SeenTable[],
): Promise<readonly TableCount[]> {
  const present = new Map((await presentIn(connection, database, true)).map((each) => [each.name, each]))
  return seen.flatMap(({ name, rows, writtenAt }) => {
    const now = present.get(name)
    if (now === undefined) return []
    return [{ name, rows: now.writtenAt === writtenAt ? rows : null }]
  })
}

async function presentIn(
  connection: SqlConnection,
  database: string,
  countsAll: boolean,
): Promise<readonly Present[]> {
  const rows = await connection.run(
    sql`select table_name as name, table_type as type, coalesce(create_options, '') as options,
      coalesce(data_length, 0) as size, cast(update_time as char) as written,
      coalesce(timestampdiff(second, update_time, now()), ${settledSeconds}) as age
      from information_schema.tables where table_schema = ${database} order by table_name`,
  )
  return rows.map((row) => ({
    name: String(row['name']),
    writtenAt: row['written'] === null ? null : String(row['written']),
    isCountable: row['type'] === 'BASE TABLE' && (countsAll || isSettled(row)),
  }))
}

/** The server does not tell when a partitioned table was written to. */
const isSettled = (row: Readonly<Record<string, unknown>>): boolean =>
  Number(row['age']) >= settledSeconds &&
  Number(row['size']) <= mostCountedBytes &&
  !String(row['options']).includes('partitioned')

/** Null where the server does not count in time, or refuses to read the table: the dump then says why. */
async function countRows(connection: SqlConnection, database: string, name: string): Promise<number | null> {
  try {
    const [row] = await connection.run(
      sql`select count(*) as total from ${identifier(database)}.${identifier(name)}`,
    )
    return Number(row?.['total'])
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
