import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { findUser, type UserRow, verifyPassword } from '../users/index.ts'
import type { Auth } from './context.ts'
import type {
  Passkey,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyDraft,
  PasskeyRequest,
  PasskeySignIn,
} from './passkey-model.ts'
import {
  OriginUnsuitable,
  PasskeyInvalid,
  PasskeyKnown,
  PasskeyRefused,
  PasskeysFull,
  PasswordWrong,
} from './problems.ts'
import { openSession, type SigningIn, type TokensReply } from './sessions.ts'
import { type PasskeyRow, passkeys } from './store.ts'

const mostPasskeys = 10
const timeout = 5 * 60_000
/** Ed25519, ECDSA with P-256 and RSA, as COSE names them (RFC 9053, RFC 8812). */
const algorithms = [-8, -7, -257]
const passkeysLock = lock('passkeys')

/** Lists the passkeys of a user, the newest first. */
export const listPasskeys = async ({ passkeys: stored }: Auth, userId: number): Promise<Passkey[]> =>
  (await stored.ofUser(userId)).map(showPasskey)

const showPasskey = (row: PasskeyRow): Passkey => {
  const { user_id: _owner, credential_id: _id, counter: _count, ...shown } = passkeys.show(row)
  return shown
}

/** Starts the creation of a passkey at the origin of the page, for a user who knows the password. */
export async function requestPasskey(
  on: Auth,
  user: UserRow,
  { password, origin }: PasskeyRequest,
): Promise<Change<PasskeyCreation>> {
  if (!(await verifyPassword(user.password_hash, password))) throw PasswordWrong('password: is wrong')
  const rpId = hostOf(origin)
  if (rpId === undefined)
    throw OriginUnsuitable(
      'origin: must be https:// with a host name: browsers create no passkeys for IP addresses or over HTTP',
    )
  const own = await on.passkeys.ofUser(user.id)
  if (own.length >= mostPasskeys) throw PasskeysFull(`You have ${mostPasskeys} passkeys: delete one first`)
  return change({
    summary: `Request a passkey of ${user.email}`,
    isRecorded: () => false, // the passkey has the entry
    reply: {
      challenge: on.challenges.issue({ userId: user.id, rpId }),
      rp: { id: rpId, name: 'Hostreeve' },
      user: {
        id: Buffer.from(`hostreeve:${user.id}`).toString('base64url'),
        name: user.email,
        displayName: user.fullname || user.email,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout,
      excludeCredentials: own.map(({ credential_id: id }) => ({ type: 'public-key' as const, id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  })
}

/** Stores the passkey that an authenticator has created. */
export async function addPasskey(
  on: Auth,
  user: UserRow,
  { name, response }: PasskeyDraft,
  { now, id, caller: { requestId } }: Deciding,
): Promise<Change<Passkey>> {
  const { challenge, origin } = clientDataOf(response.response.clientDataJSON) ?? {}
  const use = challenge === undefined ? undefined : on.challenges.take(challenge, requestId)
  if (use?.rpId === undefined || use.userId !== user.id)
    throw PasskeyInvalid('response: its challenge is unknown or expired: start again')
  if (origin === undefined || hostOf(origin) !== use.rpId)
    throw PasskeyInvalid(`response: was not made at ${use.rpId}`)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: () => true, // it was taken above
    expectedOrigin: origin,
    expectedRPID: use.rpId,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw PasskeyInvalid('response: cannot be verified', { cause })
  })
  if (!verified || registrationInfo === undefined) throw PasskeyInvalid('response: cannot be verified')
  const { credential, credentialBackedUp } = registrationInfo
  if (await on.passkeys.byCredential(credential.id))
    throw PasskeyKnown('response: this passkey is known already')
  if ((await on.passkeys.ofUser(user.id)).length >= mostPasskeys) throw PasskeysFull()
  const row = passkeys.row({
    id: id(passkeys.name),
    user_id: user.id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    rp_id: use.rpId,
    name,
    is_synced: credentialBackedUp,
    created_at: now.toISOString(),
  })
  return change({
    summary: `Add the passkey ${name} of ${user.email}`,
    locks: [passkeysLock(user.id)],
    rows: [passkeys.insert(row)],
    reply: showPasskey(row),
  })
}

/** Deletes a passkey. */
export const deletePasskey = ({ id, name }: PasskeyRow): Change<{ success: true }> =>
  change({ summary: `Delete the passkey ${name}`, rows: [passkeys.delete({ id })], reply: success })

/** Returns a passkey of a user; 404 where there is none. */
export async function loadPasskey(
  { passkeys: stored }: Auth,
  id: number,
  userId: number,
): Promise<PasskeyRow> {
  const row = await stored.byId(id)
  if (row === undefined || row.user_id !== userId) throw NotFound(`id: you have no passkey ${id}`)
  return row
}

/** Starts a sign-in with any passkey. */
export const requestSignIn = ({ challenges }: Auth): Change<PasskeyAssertion> =>
  change({
    summary: 'Request a sign-in with a passkey',
    isRecorded: () => false, // the sign-in has the entry
    reply: { challenge: challenges.issue({}), timeout, userVerification: 'required' },
  })

/** Opens a session for the user of a passkey, who was verified by the device. */
export async function signInWithPasskey(
  on: Auth,
  { response }: PasskeySignIn,
  signingIn: SigningIn,
): Promise<Change<TokensReply>> {
  const { challenge, origin } = clientDataOf(response.response.clientDataJSON) ?? {}
  const use = challenge === undefined ? undefined : on.challenges.take(challenge, signingIn.visitor.requestId)
  const row = await on.passkeys.byCredential(response.id)
  const user = row && (await findUser(on.users, row.user_id))
  const isForSignIn = use !== undefined && use.userId === undefined
  if (!isForSignIn || row === undefined || user === undefined || user.is_suspended === 1)
    throw PasskeyRefused()
  if (origin === undefined || hostOf(origin) !== row.rp_id) throw PasskeyRefused()
  const { counter, isSynced } = await verify(response, row, origin)
  const last = { counter, is_synced: isSynced, last_used: signingIn.now.toISOString() }
  return openSession(user, signingIn, {
    isProved: true,
    locks: [passkeysLock(user.id)],
    rows: [passkeys.update(row, last)],
  })
}

async function verify(response: PasskeySignIn['response'], row: PasskeyRow, origin: string) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...parts } = response.response
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...response,
      response: { ...parts, ...(typeof userHandle === 'string' && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: () => true, // it was taken by the caller
    expectedOrigin: origin,
    expectedRPID: row.rp_id,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  }).catch((cause: unknown) => {
    throw PasskeyRefused(undefined, { cause })
  })
  if (!verified) throw PasskeyRefused()
  return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
}

/** The challenge and the origin of a response, unverified. */
function clientDataOf(text: string): { readonly challenge: string; readonly origin: string } | undefined {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : undefined
  } catch {
    return undefined
  }
}

/** The host name of a secure origin; undefined for others, and for IP addresses. */
function hostOf(origin: string): string | undefined {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return undefined
  const { protocol, hostname } = url
  if (isAddress(hostname.replace(/^\[(.*)\]$/, '$1'))) return undefined
  const isSecure = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
  return isSecure ? hostname : undefined
}
