import type { Store } from '../store/store.ts'

const keptDays = 30
const keptBytes = 256 * 1024 * 1024

/** Drops what was before from changes that are too old to undo, oldest first beyond the size limit. Answers how many were dropped. */
export async function forgetOldWork(store: Store, now: Date): Promise<number> {
  const limit = new Date(now.getTime() - keptDays * 86_400_000).toISOString()
  const old = await store.db
    .updateTable('changes')
    .set({ work: null })
    .where('state', '=', 'settled')
    .where('settled_at', '<', limit)
    .where('work', 'is not', null)
    .executeTakeFirst()
  const kept = await store.db
    .selectFrom('changes')
    .select((row) => ['id', row.fn<number>('length', ['work']).as('size')])
    .where('work', 'is not', null)
    .where('state', '=', 'settled')
    .orderBy('id', 'desc')
    .execute()
  let total = 0
  const beyond = kept.filter(({ size }) => (total += Number(size)) > keptBytes).map(({ id }) => id)
  for (const id of beyond)
    await store.db.updateTable('changes').set({ work: null }).where('id', '=', id).execute()
  return Number(old.numUpdatedRows) + beyond.length
}
