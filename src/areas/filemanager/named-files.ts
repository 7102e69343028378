import type { Caller } from '../../core/caller.ts'
import { BadRequest, Forbidden, NotFound, Unavailable } from '../../core/problem.ts'
import type { Owner, Owners } from '../../host/owner/index.ts'
import { accountOf, findUserByUsername, type Users } from '../users/index.ts'
import { findWebsite, type Websites } from '../websites/index.ts'

/** The fields of a request that name the owner of the files. */
export interface Naming {
  readonly username?: string
  readonly website_id?: number
}

/** A hosting user's files. */
export interface Files {
  readonly username: string
  /** The panel user who has this Linux account. */
  readonly userId: number
  readonly owner: Owner
}

interface Parts {
  readonly users: Users
  readonly websites: Websites
  readonly owners: Owners
}

/** Finds the files that a request names, within the caller's scope (decisions 3.18 and 3.19). */
export async function findNamedFiles(
  parts: Parts,
  { username, website_id }: Naming,
  caller: Caller,
): Promise<Files> {
  const isNamed = username !== undefined && username !== ''
  if (isNamed && !caller.user.isAdmin && username !== caller.user.username)
    throw Forbidden(
      `username: without being a superuser you reach your own files only, not those of ${username}`,
    )
  const byName = isNamed ? await accountOf(parts.users, username) : undefined
  if (byName) return open(parts, byName.username)
  if (website_id === undefined || website_id === 0)
    throw BadRequest(
      isNamed
        ? `username: ${username} is no hosting user of this panel`
        : 'username or website_id: one of them is required',
    )
  const website = await findWebsite(parts.websites, website_id, caller)
  if (website === undefined) throw NotFound(`website_id: there is no website ${website_id}`)
  return open(parts, website.username)
}

/** Opens the files of a user for stored work, whose caller must reach them now. */
export async function filesOfCaller(
  parts: Parts,
  username: string,
  caller: Caller | null,
): Promise<Files & { readonly caller: Caller }> {
  if (caller === null) throw Forbidden()
  return { ...(await findNamedFiles(parts, { username }, caller)), caller }
}

/** Opens the files of a known user name, for example when a change resumes after a restart. */
export async function open(
  { users, owners }: Pick<Parts, 'users' | 'owners'>,
  username: string,
): Promise<Files> {
  const [account, user] = [await accountOf(users, username), await findUserByUsername(users, username)]
  if (account === undefined || user === undefined)
    throw Unavailable(`The Linux account ${username} no longer exists on this host`)
  return { username, userId: user.id, owner: owners.of({ ...account, name: account.username }) }
}
