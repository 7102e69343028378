import { sql } from 'kysely'
import type { Store } from '../store.ts'
import { isOnPostgres } from './open-test-store.ts'

const pageLimit = 2000
const moreThanFits = 64 * 1024 * 1024

/** Refuses every write to these tables as the database does on a full disk, until `free` is called. */
export async function fillDisk(
  store: Store,
  tables: readonly string[],
): Promise<{ readonly free: () => Promise<void> }> {
  const run = (statement: string) => sql.raw(statement).execute(store.db)
  if (isOnPostgres) return fillServer(run, tables)
  await run(`pragma max_page_count = ${pageLimit}`)
  await run('create table ballast (filling blob)')
  for (const table of tables)
    for (const verb of ['insert', 'update', 'delete'])
      await run(`create trigger full_${table}_${verb} before ${verb} on ${table}
        begin insert into ballast values (zeroblob(${moreThanFits})); end`)
  return {
    free: async () => {
      for (const table of tables)
        for (const verb of ['insert', 'update', 'delete']) await run(`drop trigger full_${table}_${verb}`)
      await run('drop table ballast')
    },
  }
}

async function fillServer(run: (statement: string) => Promise<unknown>, tables: readonly string[]) {
  await run(`create function refuse_full() returns trigger language plpgsql
    as $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$`)
  for (const table of tables)
    await run(`create trigger full_${table} before insert or update or delete on ${table}
      execute function refuse_full()`)
  return {
    free: async () => {
      for (const table of tables) await run(`drop trigger full_${table} on ${table}`)
      await run('drop function refuse_full')
    },
  }
}
