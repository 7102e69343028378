import { sql } from 'kysely'
import type { Scalar } from '../core/change.ts'
import type { Db, Tx } from './database.ts'
import { condition } from './write-rows.ts'

/** A row of any table, as it is stored. */
export type StoredRow = Readonly<Record<string, Scalar>>

/** Returns the rows of a table that contain these values, at most `limit`. */
export async function selectRows(
  db: Db | Tx,
  { table, where }: { readonly table: string; readonly where: StoredRow },
  limit: number,
): Promise<readonly StoredRow[]> {
  const { rows } =
    await sql<StoredRow>`select * from ${sql.table(table)} where ${condition(where)} limit ${limit}`.execute(
      db,
    )
  return rows
}
