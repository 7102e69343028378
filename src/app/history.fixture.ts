import { sql } from 'kysely'
import { appendActivity } from '../changes/activity.ts'
import { entry } from '../changes/parcel.fixture.ts'
import type { Store } from '../store/store.ts'

const dayMs = 86_400_000
const entries = 1007

/** Stores what a panel keeps of a month, all of it younger than it keeps it. */
export async function storeHistory(
  store: Store,
  { userId, until }: { readonly userId: number; readonly until: number },
): Promise<void> {
  const at = (days: number) => new Date(until - days * dayMs).toISOString()
  const work = store.seal('[]')
  await store.transaction(async (tx) => {
    const outcome = { status: 'ok', duration_ms: 1, change_id: null } as const
    for (let index = 0; index < entries; index++) {
      const created_at = at(30 - (index * 29) / entries)
      await appendActivity(store, tx, { ...entry, ...outcome, message: `entry ${index}`, created_at })
    }
  })
  for (let days = 29; days > 0; days--) {
    const time = at(days)
    await sql`insert into jobs values (${store.nextId('jobs')}, 'x', 'kept', '', null, 'succeeded', 100, 'Done', 1, 0,
      ${time}, null, ${time}, ${time}, ${time}, null, null)`.execute(store.db)
    await sql`insert into file_versions values (${store.nextId('file_versions')}, ${userId}, 'a', 'a', null, 1, 0, 420,
      'too_large', ${time}, null, null, ${time}, null, 'write')`.execute(store.db)
    await sql`insert into changes (id, summary, action, method, path, ip, request_id, request, state, outcome, work, created_at, settled_at)
      values (${store.nextId('changes')}, 'kept', 'x', 'POST', '/x', '', 'r', '{}', 'settled', 'ok', ${work}, ${time}, ${time})`.execute(
      store.db,
    )
  }
  await sql`insert into file_uploads (id, user_id, username, name, path, size_bytes, overwrite, state, firm_bytes, created_at, expires_at)
    values (${store.nextId('file_uploads')}, ${userId}, 'alice', '1-x', '"a"', 9, 0, 'open', 0, ${at(0)}, ${at(-1)})`.execute(
    store.db,
  )
}

/** How much of it is there. */
export async function countHistory({ db }: Store) {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from activity where id <= ${entries}) as entries,
    (select count(*) from jobs where title = 'kept') as jobs,
    (select count(*) from file_versions) as versions,
    (select count(*) from file_uploads) as uploads,
    (select count(*) from changes where summary = 'kept' and work is not null) as undoable,
    (select count(*) from sessions where id = 1) as sessions`.execute(db)
  return { ...rows[0] }
}
