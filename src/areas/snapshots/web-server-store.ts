import type { RowWrite } from '../../core/change.ts'
import type { SnapshotParts } from './parts.ts'
import { serverTable } from './tables.ts'

/** True if another web server serves than when the copy was made, of which these are the writes. Without a row, it is nginx. */
export async function isSwitched(
  { store }: Pick<SnapshotParts, 'store'>,
  writes: readonly RowWrite[],
): Promise<boolean> {
  const found = writes.find(({ table }) => table === serverTable)
  if (found === undefined) return false
  const row = await store.db.selectFrom(serverTable).select('active').executeTakeFirst()
  const active = row?.active ?? 'nginx'
  if (found.write === 'delete') return active !== 'nginx'
  const { active: wanted = active } = found.write === 'insert' ? found.values : found.set
  return active !== wanted
}
