import { point } from '../../core/point.ts'
import { type KeysEnded, noKeysEnded } from './api-keys.ts'
import type { Users } from './context.ts'
import type { UserRow } from './store.ts'

/** Credentials of a user which a new password does not end. */
export interface LastingAccess {
  /** In the singular, such as `passkey`. */
  readonly noun: string
  readonly count: number
}

/** What areas keep that lets a user in without the password. */
export const lastingAccess = point<(user: UserRow) => Promise<LastingAccess>>(
  'access that outlasts a new password',
)

/**
 * Says which credentials of a user stay valid after a new password or further rights, for the plan and the entry of the
 * change; without the keys that it ends.
 */
export async function detailsOfLastingAccess(
  on: Users,
  user: UserRow,
  { rows }: Pick<KeysEnded, 'rows'> = noKeysEnded,
): Promise<readonly string[]> {
  const keys = { noun: 'API key', count: (await on.queries.apiKeysOf(user.id)).length - rows.length }
  const others = await Promise.all(on.partsOf(lastingAccess).map((countOf) => countOf(user)))
  return [keys, ...others].flatMap(({ noun, count }) =>
    count === 0 ? [] : [count === 1 ? `1 ${noun} stays valid` : `${count} ${noun}s stay valid`],
  )
}
