import { networkOf } from '../../core/attempt-counts.ts'
import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import type { Change } from '../../core/change.ts'
import { open, permissionSlugs, superuser } from '../../core/guard.ts'
import { NotFound } from '../../core/problem.ts'
import { data, succeeded } from '../../core/reply.ts'
import { Id } from '../../core/schemas.ts'
import { showUser, type UserRow } from '../users/index.ts'
import { endpoint } from './context.ts'
import { Me, PasswordEdit, PasswordReset, Refresh, Session, SignIn, Tokens } from './model.ts'
import { PasswordWrong, RefreshRefused, SignInRefused, TooManyAttempts } from './problems.ts'
import type { TokensReply } from './sessions.ts'
import { inCookie, withoutRefreshToken } from './cookie.ts'

const ofThisPanel = local('sessions and passwords belong to this panel')

export const signIn = endpoint({
  method: 'POST',
  path: '/login',
  summary: 'Sign in with e-mail address and password',
  effect: 'changes',
  category: ofThisPanel,
  guard: open('It is how a credential is got; the password is checked here'),
  body: SignIn,
  reply: data(Tokens),
  throws: { unauthorized: SignInRefused, rate_limited: TooManyAttempts },
  recordsRefusals: true,
  refreshCookie: inCookie,
  run: async ({ body, auth, visitor, now, id, signal }) =>
    withoutRefreshToken(await auth.signIn(body, { visitor, now, id, signal }), body.cookie === true),
})

export const refresh = endpoint({
  method: 'POST',
  path: '/refresh',
  summary: 'Get new tokens for a refresh token, which is used up by it',
  effect: 'changes',
  category: ofThisPanel,
  guard: open('The refresh token is the credential'),
  body: Refresh,
  reply: data(Tokens),
  throws: { unauthorized: RefreshRefused },
  rateLimit: { perMinute: 60, keys: ({ visitor }) => [networkOf(visitor.ip)] },
  recordsRefusals: true,
  refreshCookie: inCookie,
  run: async ({ body, auth, visitor, now, id }): Promise<Change<TokensReply>> => {
    const isByCookie = body.refresh_token === undefined
    return withoutRefreshToken(
      await auth.refresh(body.refresh_token ?? visitor.refreshCookie, { visitor, now, id }),
      isByCookie,
    )
  },
})

export const signOut = endpoint({
  method: 'POST',
  path: '/logout',
  summary: 'End the session of this request',
  effect: 'changes',
  category: ofThisPanel,
  reply: succeeded,
  refreshCookie: () => 'clear',
  run: ({ auth, caller }) => auth.end(caller.sessionId ?? 0),
})

export const me = endpoint({
  method: 'GET',
  path: '/me',
  summary: 'Read the signed-in user',
  effect: 'reads',
  reply: data(Me),
  target: async ({ caller, users }): Promise<UserRow> => {
    const user = await users.byId(caller.user.id)
    if (user === undefined) throw NotFound('The command line of this host is no user')
    return user
  },
  run: ({ target, caller }) => ({
    ...showUser(target),
    permissions: caller.user.isAdmin ? [...permissionSlugs] : [...caller.permissions],
  }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/password',
  summary: 'Change your own password; all your sessions end',
  effect: 'changes',
  category: ofThisPanel,
  body: PasswordEdit,
  reply: succeeded,
  throws: { bad_request: PasswordWrong },
  rateLimit: { perMinute: 10, keys: ({ visitor }) => [networkOf(visitor.ip)] },
  recordsRefusals: true,
  refreshCookie: () => 'clear',
  run: ({ auth, caller, body, now }) => auth.changePassword(caller.user.id, body, now),
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  summary: 'Set the password of a user who lost it; all sessions of the user end',
  effect: 'changes',
  category: ofThisPanel,
  guard: superuser,
  body: PasswordReset,
  reply: succeeded,
  target: async ({ body, users }): Promise<UserRow> => {
    const user = await users.byEmail(body.email)
    if (user === undefined) throw NotFound(`email: there is no user ${body.email}`)
    return user
  },
  run: ({ target, body, auth, now }) => auth.resetPassword(target, body.password, now),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'List your sessions',
  effect: 'reads',
  reply: data(Type.Array(Session, { maxItems: 500 })),
  run: async ({ auth, caller }) =>
    (await auth.ofUser(caller.user.id)).map(
      ({ id, ip, user_agent, created_at, last_used_at, expires_at }) => ({
        id,
        ip,
        user_agent,
        created_at,
        last_used_at,
        expires_at,
        is_current: id === caller.sessionId,
      }),
    ),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End one of your sessions',
  effect: 'destroys',
  category: ofThisPanel,
  params: Type.Object({ id: Id }),
  reply: succeeded,
  target: async ({ params, caller, auth }) => {
    const session = await auth.byId(params.id)
    if (session?.user_id !== caller.user.id) throw NotFound(`id: you have no session ${params.id}`)
    return session
  },
  run: ({ target, auth }) => auth.end(target.id),
})
