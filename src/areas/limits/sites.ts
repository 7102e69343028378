import { lock, type Lock } from '../../core/lock.ts'
import { LimitReached } from '../websites/index.ts'
import type { Limits } from './context.ts'
import { effectiveLimits } from './read.ts'

/** The websites of one owner are counted one after another, so that two at the same time do not both get the last place. */
const sitesLock = lock('sites of user')

/** Refuses one website more than an owner may have; returns the lock under which the answer holds. */
export async function mayReceive(
  on: Limits,
  { userId, count }: { readonly userId: number; readonly count: number },
): Promise<readonly Lock[]> {
  const user = await on.queries.user(userId)
  const most = user === undefined ? null : effectiveLimits(user, await on.queries.packages()).websites
  if (most === null) return []
  if (count >= most)
    throw LimitReached(
      `${user?.username} may have ${most} ${most === 1 ? 'website' : 'websites'}, and has ${count}`,
    )
  return [sitesLock(userId)]
}
