import { assertFresh } from '../../../core/fresh-factor.ts'
import Type from 'typebox'
import { change, type Change } from '../../../core/change.ts'
import { open, superuser } from '../../../core/guard.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { FactorRequired, NotFound } from '../../../core/problem.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { Id } from '../../../core/schemas.ts'
import {
  ApiKeys,
  createApiKey,
  deleteApiKey,
  editProfile,
  KeyDraft,
  listApiKeys,
  NewApiKey,
  Profile,
  showUser,
  TimeZoneUnknown,
} from '../../users/index.ts'
import { endpoint } from '../context.ts'
import {
  Me,
  PasswordEdit,
  PasswordReset,
  Refresh,
  Session,
  SignIn,
  SocketToken,
  SocketTokenDraft,
  Tokens,
} from '../model.ts'
import * as problems from '../problems.ts'
import { byEmail, ofThisPanel, ownAccount, perAddress, perRefreshToken, self } from '../parts.ts'
import * as sessions from '../sessions.ts'
import { socketTokenSeconds } from '../socket-tokens.ts'
import { showSession } from '../store.ts'
import { inCookie, withoutRefreshToken } from '../cookie.ts'

export const signIn = endpoint({
  method: 'POST',
  path: '/login',
  summary: 'Sign in with e-mail address and password',
  effect: 'changes',
  category: ofThisPanel,
  guard: open('It is how a credential is got; the password is checked here'),
  body: SignIn,
  reply: data(Tokens),
  throws: {
    unauthorized: [problems.SignInRefused, problems.SignInCodeWrong],
    otp_required: problems.OtpRequired,
    rate_limited: [problems.TooManyAttempts, problems.TooManyCodes],
  },
  recordsRefusals: true,
  refreshCookie: inCookie,
  run: async ({ auth, body, ...request }) =>
    withoutRefreshToken(await sessions.signIn(auth, body, request), body.cookie === true),
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
  throws: { unauthorized: problems.RefreshRefused },
  rateLimit: perRefreshToken,
  recordsRefusals: true,
  refreshCookie: inCookie,
  run: async ({ auth, body, visitor, now }): Promise<Change<sessions.TokensReply>> => {
    const isByCookie = body.refresh_token === undefined
    return withoutRefreshToken(
      await sessions.refresh(auth, body.refresh_token ?? visitor.refreshCookie, { now }),
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
  run: ({ caller }) => sessions.endSession(caller.sessionId ?? 0),
})

export const me = endpoint({
  method: 'GET',
  path: '/me',
  summary: 'Read the signed-in user',
  effect: 'reads',
  reply: data(Me),
  target: self,
  run: ({ target, caller }) => ({
    ...showUser(target),
    permissions: caller.user.isAdmin ? [...permissionSlugs] : [...caller.permissions],
  }),
})

export const editMe = endpoint({
  method: 'PATCH',
  path: '/me',
  summary: 'Change your name, or the time zone in which you are shown times',
  effect: 'changes',
  category: 'users',
  body: Profile,
  reply: succeeded,
  throws: { bad_request: TimeZoneUnknown },
  target: ownAccount,
  run: ({ target, body, now }) => editProfile(target, body, { now }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/password',
  summary: 'Change your own password; your other sessions end',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: PasswordEdit,
  reply: succeeded,
  throws: { bad_request: problems.PasswordWrong },
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, body, ...request }) => sessions.changePassword(auth, body, request),
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  summary: 'Set the password of a user who lost it; their sessions end, but not the one of this request',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  guard: superuser,
  body: PasswordReset,
  reply: succeeded,
  target: byEmail,
  run: ({ auth, target, body, ...request }) => sessions.resetPassword(auth, target, body.password, request),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'List your sessions',
  effect: 'reads',
  reply: data(Type.Array(Session, { maxItems: 500 })),
  run: async ({ auth, caller }) =>
    (await auth.queries.ofUser(caller.user.id)).map((row) => showSession(row, caller.sessionId)),
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/sessions',
  summary: 'End all your sessions but the one of this request',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  reply: succeeded,
  run: ({ caller }) => sessions.endOtherSessions(caller),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End one of your sessions',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  params: Type.Object({ id: Id }),
  reply: succeeded,
  target: async ({ params, caller, auth }) => {
    const session = await auth.queries.byId(params.id)
    if (session?.user_id !== caller.user.id) throw NotFound(`id: you have no session ${params.id}`)
    return session
  },
  run: ({ target }) => sessions.endSession(target.id),
})

export const createSocketToken = endpoint({
  method: 'POST',
  path: '/socket-token',
  summary: 'Get a token that opens one WebSocket within a minute',
  effect: 'changes',
  category: ofThisPanel,
  body: SocketTokenDraft,
  reply: data(SocketToken),
  throws: { factor_required: FactorRequired },
  target: self,
  run: ({ auth, body, caller, now }) => {
    if (body.purpose === 'terminal' || body.purpose === 'container') assertFresh(caller, auth.freshFactorMs)
    return change({
      summary: `Issue a socket token to ${caller.user.email}`,
      isRecorded: () => false, // the socket that it opens has the entry
      rows: [],
      reply: {
        token: auth.socketTokens.issue(caller, body, now),
        expires_in: socketTokenSeconds,
      },
    })
  },
})

export const listOwnApiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  summary: 'List your API keys, newest first',
  effect: 'reads',
  reply: data(ApiKeys),
  run: ({ auth, caller }) => listApiKeys(auth.users, caller.user.id),
})

export const createOwnApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key that acts as you; it is shown only in this reply',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: KeyDraft,
  reply: data(NewApiKey),
  target: self,
  run: ({ auth, target, body, ...request }) => createApiKey(auth.users, target, body, request),
})

export const deleteOwnApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/{kid}',
  summary: 'Delete one of your API keys, if it is there',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  params: Type.Object({ kid: Id }),
  reply: succeeded,
  target: self,
  run: ({ auth, target, params, ...request }) =>
    deleteApiKey(auth.users, { uid: target.id, kid: params.kid }, request),
})
