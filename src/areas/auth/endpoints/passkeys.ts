import { open } from '../../../core/guard.ts'
import { sourceOf } from '../../../core/attempt-counts.ts'
import { FactorRequired, Forbidden, NotFound } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { inCookie, withoutRefreshToken } from '../cookie.ts'
import { Tokens } from '../model.ts'
import {
  Passkey,
  PasskeyAssertion,
  PasskeyConfirm,
  PasskeyCreation,
  PasskeyDraft,
  PasskeyPath,
  PasskeyRequest,
  Passkeys,
  PasskeySignIn,
} from '../passkey-model.ts'
import * as passkeys from '../passkeys.ts'
import { ofThisPanel, ownAccount, perAddress, self } from '../parts.ts'
import * as problems from '../problems.ts'

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/passkeys',
  summary: 'List your passkeys, newest first',
  effect: 'reads',
  reply: data(Passkeys),
  run: ({ auth, caller }) => passkeys.listPasskeys(auth, caller.user.id),
})

export const requestPasskey = endpoint({
  method: 'POST',
  path: '/passkeys/options',
  summary: 'Start the creation of a passkey: get the options for navigator.credentials.create',
  effect: 'changes',
  category: ofThisPanel,
  body: PasskeyRequest,
  reply: data(PasskeyCreation),
  throws: {
    bad_request: [problems.PasswordWrong, problems.OriginUnsuitable],
    conflict: problems.PasskeysFull,
    factor_required: FactorRequired,
  },
  target: ownAccount,
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, target, body, caller }) => passkeys.requestPasskey(auth, target, body, caller),
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/passkeys',
  summary: 'Add the passkey that navigator.credentials.create has made',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: PasskeyDraft,
  bodyBytes: 64 * 1024,
  reply: created(Passkey),
  throws: {
    bad_request: problems.PasskeyInvalid,
    already_exists: problems.PasskeyKnown,
    conflict: problems.PasskeysFull,
  },
  target: self,
  recordsRefusals: true,
  run: ({ auth, target, body, ...request }) => passkeys.addPasskey(auth, target, body, request),
})

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/passkeys/{id}',
  summary: 'Delete a passkey of yours',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  params: PasskeyPath,
  reply: succeeded,
  throws: { not_found: NotFound },
  target: ({ auth, params, caller }) => passkeys.loadPasskey(auth, params.id, caller.user.id),
  run: ({ target }) => passkeys.deletePasskey(target),
})

export const requestPasskeySignIn = endpoint({
  method: 'POST',
  path: '/passkeys/sign-in-options',
  summary: 'Start a sign-in or a confirmation with a passkey: get the options for navigator.credentials.get',
  effect: 'changes',
  category: ofThisPanel,
  guard: open('It is how a credential is got; the options tell nothing of any user'),
  reply: data(PasskeyAssertion),
  rateLimit: { perMinute: 60, keys: ({ visitor }) => [sourceOf(visitor)] },
  run: ({ auth }) => passkeys.requestSignIn(auth),
})

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/passkeys/login',
  summary: 'Sign in with what navigator.credentials.get has made; it stands for the password and the code',
  effect: 'changes',
  category: ofThisPanel,
  guard: open('It is how a credential is got; the signature is checked here'),
  body: PasskeySignIn,
  bodyBytes: 64 * 1024,
  reply: data(Tokens),
  throws: { unauthorized: problems.PasskeyRefused },
  rateLimit: perAddress,
  recordsRefusals: true,
  refreshCookie: inCookie,
  run: async ({ auth, body, ...request }) =>
    withoutRefreshToken(await passkeys.signInWithPasskey(auth, body, request), body.cookie === true),
})

export const confirmPasskey = endpoint({
  method: 'POST',
  path: '/passkeys/confirm',
  summary: 'Use a passkey in place of a code, for actions that ask for a fresh second factor',
  effect: 'changes',
  category: ofThisPanel,
  body: PasskeyConfirm,
  bodyBytes: 64 * 1024,
  reply: succeeded,
  throws: { bad_request: problems.PasskeyInvalid, forbidden: Forbidden },
  target: ownAccount,
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, target, body, now, caller }) => passkeys.confirmPasskey(auth, target, body, { now, caller }),
})
