import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import { problem } from '../../core/problem.ts'
import type { Websites } from './context.ts'

export const LimitReached = problem('limit_reached', 403, 'The limit of the owner is reached')

/** An owner who is to get one website more. */
export interface Receiving {
  readonly userId: number
  /** The websites that the owner has. */
  readonly count: number
}

/** Refuses one website more for an owner; returns the locks under which the answer holds. */
export const ownerLimits = point<(owner: Receiving) => Promise<readonly Lock[]>>('limits of owners')

/** Asks all areas whether an owner may have one website more. */
export async function withinLimits(
  { partsOf, queries }: Pick<Websites, 'partsOf' | 'queries'>,
  userId: number,
): Promise<readonly Lock[]> {
  const parts = partsOf(ownerLimits)
  if (parts.length === 0) return []
  const count = await queries.countOf(userId)
  return (await Promise.all(parts.map((part) => part({ userId, count })))).flat()
}
