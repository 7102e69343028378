import type { Caller } from '../../core/caller.ts'
import { Forbidden, NotFound, Unavailable } from '../../core/problem.ts'
import { accountOf, findUser, type Users } from '../users/index.ts'
import type { Terminal } from './context.ts'
import type { TerminalQuery } from './model.ts'
import { NoAccount } from './problems.ts'
import type { Wanted } from './terminals.ts'

interface Asked {
  readonly uid: number
  readonly query: Pick<TerminalQuery, 'username' | 'resume'>
  readonly caller: Caller
  /** The user that the token was issued for, if it names one. */
  readonly tokenUserId: number | undefined
}

/** Finds the terminal that a request names; throws unless the caller may open it (contract 4.5, decision 3.19). */
export async function wantedTerminal(
  on: Terminal,
  { uid, query, caller, tokenUserId }: Asked,
): Promise<Wanted> {
  assertMayOpen(caller, uid, query.username)
  if (tokenUserId !== undefined && tokenUserId !== uid)
    throw Forbidden(`token: was issued for the terminal of user ${tokenUserId}`)
  const user = await findUser(on.users, uid)
  if (user === undefined) throw NotFound(`uid: there is no user ${uid}`)
  const username = query.username
    ? await anyAccount(on.users, query.username)
    : await ownAccount(on.users, user)
  const obstacle = on.shells.obstacle()
  if (obstacle !== undefined) throw Unavailable(obstacle)
  return { uid, username, resumed: query.resume, caller }
}

function assertMayOpen({ user, permissions }: Caller, uid: number, username: string | undefined): void {
  if (user.isAdmin) return
  if (!permissions.has('terminal_access'))
    throw Forbidden('You need the permission "Open a terminal". Ask an administrator')
  if (username) throw Forbidden('username: only an administrator can open the terminal of any account')
  if (uid !== user.id) throw Forbidden('uid: only an administrator can open the terminal of another user')
}

async function anyAccount({ accounts }: Users, username: string): Promise<string> {
  const account = await accounts.find(username)
  if (account === undefined) throw NotFound(`username: there is no account ${username} on this host`)
  return account.username
}

async function ownAccount(
  users: Users,
  { email, username }: { readonly email: string; readonly username: string | null },
): Promise<string> {
  if (username === null) throw NoAccount(`uid: ${email} has no Linux account`)
  const account = await accountOf(users, username)
  if (account === undefined)
    throw NoAccount(`uid: the Linux account ${username} of ${email} is not an ordinary account of this host`)
  return account.username
}
