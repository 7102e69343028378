import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { assertFresh } from '../../core/fresh-factor.ts'
import { Forbidden, NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { type UserRow, verifyPassword } from '../users/index.ts'
import type { Auth } from './context.ts'
import type {
  Passkey,
  PasskeyAssertion,
  PasskeyConfirm,
  PasskeyCreation,
  PasskeyDraft,
  PasskeyRequest,
  PasskeySignIn,
} from './passkey-model.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import { algorithms, clientDataOf, passkeysLock, provePasskey, verifyCreation } from './passkey-proof.ts'
import {
  OriginUnsuitable,
  PasskeyInvalid,
  PasskeyKnown,
  PasskeyRefused,
  PasskeysFull,
  PasswordWrong,
} from './problems.ts'
import { openSession, type SigningIn, type TokensReply } from './sessions.ts'
import { type PasskeyRow, passkeys, sessions } from './store.ts'

const mostPasskeys = 10
const timeout = 5 * 60_000

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
  caller: Caller,
): Promise<Change<PasskeyCreation>> {
  if (!(await verifyPassword(user.password_hash, password))) throw PasswordWrong('password: is wrong')
  assertFresh(caller, timeout) // a passkey stands for the code too: the password alone must not bring one
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
      challenge: on.challenges.issue({ userId: user.id, origin }),
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
  const rpId = use?.origin === undefined ? undefined : hostOf(use.origin)
  if (rpId === undefined || use?.origin === undefined || use.userId !== user.id)
    throw PasskeyInvalid('response: its challenge is unknown or expired: start again')
  if (origin !== use.origin) throw PasskeyInvalid(`response: was not made at ${use.origin}`)
  const { credential, credentialBackedUp } = await verifyCreation(response, { origin, rpId })
  if (await on.passkeys.byCredential(credential.id))
    throw PasskeyKnown('response: this passkey is known already')
  if ((await on.passkeys.ofUser(user.id)).length >= mostPasskeys) throw PasskeysFull()
  const row = passkeys.row({
    id: id(passkeys.name),
    user_id: user.id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    rp_id: rpId,
    origin,
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
  const { requestId, ip } = signingIn.visitor
  const proving = { now: signingIn.now, requestId, refusal: PasskeyRefused }
  const { user, copied, ...written } = await provePasskey(on, response, proving).catch((error) => {
    on.partsOf(failedSignIns).forEach((tell) => tell(ip))
    throw error
  })
  return copied ?? openSession(user, signingIn, { ...written, isProved: true })
}

/** Remembers that the caller has used a passkey just now, for what asks for a fresh second factor. */
export async function confirmPasskey(
  on: Auth,
  user: UserRow,
  { response }: PasskeyConfirm,
  { now, caller: { sessionId, requestId } }: Pick<Deciding, 'now' | 'caller'>,
): Promise<Change<{ success: true }>> {
  if (sessionId === null) throw Forbidden('Only a session has a second factor: a key is not asked for one')
  const proof = await provePasskey(on, response, { now, requestId, refusal: PasskeyInvalid })
  if (proof.user.id !== user.id) throw PasskeyInvalid('response: this passkey is of another user')
  return (
    proof.copied ??
    change({
      summary: `Confirm with a passkey of ${user.email}`,
      locks: proof.locks,
      isRecorded: () => false, // what it allows has the entry
      rows: [...proof.rows, sessions.updateWhere({ id: sessionId }, { proved_at: now.toISOString() })],
      reply: success,
    })
  )
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
