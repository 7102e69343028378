import { sql } from 'kysely'
import type { Store } from '../store.ts'

const pageLimit = 2000
const moreThanFits = 64 * 1024 * 1024

/** Refuses every write to these tables with SQLITE_FULL, as SQLite does on a full disk, until `free` is called. */
export async function fillDisk(
  store: Store,
  tables: readonly string[],
): Promise<{ readonly free: () => Promise<void> }> {
  const run = (statement: string) => sql.raw(statement).execute(store.db)
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
