import { sql } from 'kysely'
import type { RowWrite, Scalar } from '../core/change.ts'
import { Conflict } from '../core/problem.ts'
import type { Tx } from './database.ts'

/** Performs row writes. A row that is no longer as the write expects it is a conflict. */
export async function writeRows(tx: Tx, writes: readonly RowWrite[]): Promise<void> {
  for (const write of writes) await writeRow(tx, write)
}

async function writeRow(tx: Tx, write: RowWrite): Promise<void> {
  if (write.write === 'insert') {
    const columns = Object.keys(write.values).map((column) => sql.ref(column))
    await sql`insert into ${sql.table(write.table)} (${sql.join(columns)}) values (${sql.join(Object.values(write.values))})`.execute(
      tx,
    )
    return
  }
  if (write.write === 'delete') {
    const kept = write.except === undefined ? sql`` : sql` and not (${condition(write.except)})`
    await sql`delete from ${sql.table(write.table)} where ${condition(write.where)}${kept}`.execute(tx)
    return
  }
  const set = Object.entries(write.set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const result =
    await sql`update ${sql.table(write.table)} set ${sql.join(set)} where ${condition(write.where)}`.execute(
      tx,
    )
  if (Number(result.numAffectedRows ?? 0) === 0) throw Conflict()
}

/** The SQL condition that a row contains these values. */
export function condition(where: Readonly<Record<string, Scalar>>) {
  const tests = Object.entries(where).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  )
  return sql.join(tests, sql` and `)
}
