import type { Containers } from './context.ts'
import { containerLock } from './locks.ts'

const mostEntries = 200

/** Lists the changes that held the lock of a container of this name, the newest first. */
export async function listHistory({ store }: Pick<Containers, 'store'>, name: string) {
  const lock = JSON.stringify(containerLock(name))
  const rows = await store.db
    .selectFrom('changes')
    .select(['id', 'summary', 'outcome', 'error', 'user_id', 'created_at', 'locks'])
    .where('locks', 'like', `%${lock}%`)
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
  return rows
    .filter(({ locks }) => locks?.includes(lock)) // _ matches any character
    .map(({ id, locks: _locks, ...row }) => ({ change_id: id, ...row }))
}
