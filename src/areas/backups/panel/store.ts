import type { Store } from '../../../store/store.ts'

const most = 10_000

/** Returns the Linux accounts of the users of the panel, which a restore on another host needs. */
export async function accountNames({ db }: Pick<Store, 'db'>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('username', 'is not', null)
    .limit(most)
    .execute()
  return rows.flatMap(({ username }) => username ?? [])
}
