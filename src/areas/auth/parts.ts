import { sourceOf } from '../../core/attempt-counts.ts'
import type { Caller, Visitor } from '../../core/caller.ts'
import { local } from '../../core/endpoint.ts'
import { NotFound } from '../../core/problem.ts'
import { assertWholeRights, findUser, findUserByEmail, type UserRow } from '../users/index.ts'
import type { Context } from './context.ts'
import { hashToken } from './tokens.ts'

/** The reason why nothing of this area is replicated. */
export const ofThisPanel = local('sessions, passwords and keys belong to this panel')

/** Limits what asks for a password to 10 requests a minute from one address. */
export const perAddress = {
  perMinute: 10,
  keys: ({ visitor }: { readonly visitor: Visitor }) => [sourceOf(visitor)],
}

/** By the token: where a proxy forwards no address, the wrong tokens of one visitor keep out no other. */
export const perRefreshToken = {
  perMinute: 60,
  keys: ({ visitor, body }: { readonly visitor: Visitor; readonly body: { refresh_token?: string } }) => {
    const token = body.refresh_token ?? visitor.refreshCookie
    return [token === undefined ? sourceOf(visitor) : hashToken(token)]
  },
}

/** Loads the caller, who may be the command line of this host. */
export const self = async ({ caller, auth }: Context & { readonly caller: Caller }): Promise<UserRow> => {
  const user = await findUser(auth.users, caller.user.id)
  if (user === undefined) throw NotFound('The command line of this host is no user')
  return user
}

/** Loads the caller, who changes their own account. */
export const ownAccount = (request: Context & { readonly caller: Caller }): Promise<UserRow> => {
  assertWholeRights(request.caller)
  return self(request)
}

/** Loads the user whose address the body names. */
export const byEmail = async ({
  body,
  auth,
}: Context & { readonly body: { readonly email: string } }): Promise<UserRow> => {
  const user = await findUserByEmail(auth.users, body.email)
  if (user === undefined) throw NotFound(`email: there is no user ${body.email}`)
  return user
}
