import { pruneLimit } from '../store/prune-limit.ts'
import type { Store } from '../store/store.ts'

const keptDays = 30
const keptBytes = 256 * 1024 * 1024

/**
 * Drops the stored former states of changes that are too old to undo, and the oldest beyond the size limit.
 * Returns how many were dropped.
 */
export async function forgetOldWork(store: Store, now: Date | undefined): Promise<number> {
  const aged = await forgetAged(store, now)
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
  return aged + beyond.length
}

async function forgetAged(store: Store, now: Date | undefined): Promise<number> {
  const settled = store.db.selectFrom('changes').where('state', '=', 'settled').where('work', 'is not', null)
  const first = await settled.select(({ fn }) => fn.min('settled_at').as('at')).executeTakeFirst()
  const last = await settled.select('settled_at as at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const limit = pruneLimit(now, keptDays, { oldest: first?.at, newest: last?.at })
  if (limit === undefined) return 0
  const { numUpdatedRows } = await store.db
    .updateTable('changes')
    .set({ work: null })
    .where('state', '=', 'settled')
    .where('settled_at', '<', limit)
    .where('work', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
