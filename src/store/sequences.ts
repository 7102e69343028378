import { sql } from 'kysely'
import type { Migration } from '../core/area.ts'
import type { RowWrite } from '../core/change.ts'
import type { Db, Tx } from './database.ts'

export const sequenceMigration: Migration = {
  name: '202611210000-sequences',
  statements: ['create table sequences (table_name text primary key, last_id integer not null)'],
}

/** Identifiers are assigned in memory, so that a decision can name its rows, and stored in the transaction that inserts them. */
export async function openSequences(db: Db) {
  const last = new Map(
    (await db.selectFrom('sequences').selectAll().execute()).map((row) => [row.table_name, row.last_id]),
  )
  return {
    next: (table: string): number => {
      const id = (last.get(table) ?? 0) + 1
      last.set(table, id)
      return id
    },
    /** The identifier that is assigned next, unless something else takes it. */
    peek: (table: string): number => (last.get(table) ?? 0) + 1,
    keep: async (tx: Tx, writes: readonly RowWrite[]): Promise<void> => {
      for (const write of writes) {
        const id = write.write === 'insert' ? write.values['id'] : undefined
        if (typeof id !== 'number') continue
        last.set(write.table, Math.max(last.get(write.table) ?? 0, id)) // a change completed after a restart has its own ids
        await keepLast(tx, write.table, id)
      }
    },
  }
}

async function keepLast(tx: Tx, table: string, id: number): Promise<void> {
  await sql`insert into sequences (table_name, last_id) values (${table}, ${id})
    on conflict (table_name) do update set last_id = excluded.last_id where excluded.last_id > sequences.last_id`.execute(
    tx,
  )
}
