import type { Caller } from '../../core/caller.ts'
import { Forbidden, Problem } from '../../core/problem.ts'
import type { Users } from './context.ts'
import { accountOf } from './find.ts'
import { assertMayEdit } from './rights.ts'
import type { UserRow } from './store.ts'

/** What would let its holder act as a user. */
type WayIn = 'a key' | 'the password'

/**
 * Throws unless the caller has all rights of a user: a key or a password gives them to its holder. What the Linux
 * account of the user may do counts among them (decision 2.4).
 */
export async function assertMayActAs(on: Users, caller: Caller, user: UserRow, by: WayIn): Promise<void> {
  assertMayEdit(caller, user)
  if (caller.user.isAdmin) return
  const held = await on.queries.permissionsOf(user.id)
  const more = held.find((slug) => !caller.permissions.has(slug))
  if (more) throw Forbidden(`The user has ${more}, which you do not have: ${by} would give it to you`)
  if (caller.user.id === user.id || user.username === null) return
  const account = await accountOf(on, user.username)
  const further = account && (await furtherRight(on, account.username))
  if (further) throw Forbidden(`The Linux account of the user ${further}, so only a superuser may set ${by}`)
}

/**
 * Returns what an account may do beyond an ordinary one, as a clause without its subject: sudo, or what the members of
 * a further group may do (those of `docker`, `adm` or `shadow` reach the rights of root). Rights that cannot be read count.
 */
export async function furtherRight(
  on: Pick<Users, 'accounts' | 'tools'>,
  username: string,
): Promise<string | undefined> {
  try {
    return await readFurtherRight(on, username)
  } catch (error) {
    if (error instanceof Problem) return `has rights that cannot be read (${error.message})`
    throw error
  }
}

async function readFurtherRight(
  { accounts, tools }: Pick<Users, 'accounts' | 'tools'>,
  username: string,
): Promise<string | undefined> {
  if (await tools.sudo.mayRun(username)) return 'may run commands with sudo'
  const others = (await accounts.groupsOf(username)).filter((group) => group !== username)
  return others.length === 0 ? undefined : `is a member of ${others.join(', ')}`
}
