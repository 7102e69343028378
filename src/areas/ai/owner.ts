import type { Caller } from '../../core/caller.ts'
import { BadRequest, Forbidden } from '../../core/problem.ts'
import { findUser, findUserByEmail } from '../users/index.ts'
import type { Assistant } from './context.ts'

/**
 * Returns the id of the user in whose name the assistant acts: the caller, or another one whom an administrator names.
 * The command line of the host is no user, and has to name one.
 */
export async function ownerOf(
  { users }: Pick<Assistant, 'users'>,
  { user }: Pick<Caller, 'user'>,
  email: string | undefined,
): Promise<number> {
  if (email === undefined) {
    if ((await findUser(users, user.id)) !== undefined) return user.id
    throw BadRequest('owner: must be the e-mail address of a user: the command line of this host is none')
  }
  const found = await findUserByEmail(users, email)
  if (found?.id === user.id) return user.id
  if (!user.isAdmin) throw Forbidden('owner: only an administrator can name another user')
  if (found === undefined) throw BadRequest(`owner: no user has the e-mail address ${email}`)
  return found.id
}
