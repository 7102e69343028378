import { type Change, refusedChange, type RowWrite } from '../../core/change.ts'
import { lock, type Lock } from '../../core/lock.ts'
import type { ProblemKind } from '../../core/problem.ts'
import { findUser, type UserRow } from '../users/index.ts'
import type { Auth } from './context.ts'
import type { PasskeyDraft, PasskeyResponse } from './passkey-model.ts'
import { PasskeyInvalid } from './problems.ts'
import { type PasskeyRow, passkeys } from './store.ts'

/** Ed25519, ECDSA with P-256 and RSA, as COSE names them (RFC 9053, RFC 8812). */
export const algorithms = [-8, -7, -257]
/** Serialises the writes of the passkeys of a user. */
export const passkeysLock = lock('passkeys')

/** What an authenticator has made for a user at an origin. */
export async function verifyCreation(
  response: PasskeyDraft['response'],
  { origin, rpId }: { readonly origin: string; readonly rpId: string },
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await assertUnattested(response)
    .then(() =>
      verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: () => true, // it was taken by the caller
        expectedOrigin: origin,
        expectedRPID: rpId,
        supportedAlgorithmIDs: algorithms,
      }),
    )
    .catch((cause: unknown) => {
      throw PasskeyInvalid('response: cannot be verified', { cause })
    })
  if (!verified || registrationInfo === undefined) throw PasskeyInvalid('response: cannot be verified')
  return registrationInfo
}

/** The panel asks for no attestation. The library would fetch lists of revoked certificates for one. */
async function assertUnattested({ response }: PasskeyDraft['response']): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
  )
  const isSelfSigned =
    attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isSelfSigned) throw new Error('an attestation was not asked for')
}

interface Proving {
  readonly now: Date
  readonly requestId: string
  /** The failure where the passkey proves nothing. */
  readonly refusal: ProblemKind
}

/** A passkey whose user was verified by the device, and what the change that relies on it writes. */
interface Proof {
  readonly user: UserRow
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
  /** Set where the authenticator has been copied: carried out in place of the change. */
  readonly copied?: Change<never>
}

/** Checks what a passkey has signed, and uses up its challenge. Throws the refusal. */
export async function provePasskey(
  on: Auth,
  response: PasskeyResponse,
  { now, requestId, refusal }: Proving,
): Promise<Proof> {
  const { challenge, origin } = clientDataOf(response.response.clientDataJSON) ?? {}
  const use = challenge === undefined ? undefined : on.challenges.take(challenge, requestId)
  const row = await on.passkeys.byCredential(response.id)
  const user = row && (await findUser(on.users, row.user_id))
  const isForUse = use !== undefined && use.userId === undefined
  if (!isForUse || origin === undefined || row === undefined || user === undefined) throw refusal()
  if (user.is_suspended === 1) throw refusal()
  const signed = await verify(response, row, { origin, refusal })
  // WebAuthn binds a passkey to the host alone: other programs may serve pages at other ports of it
  if (origin !== row.origin) throw refusal(`This passkey signs in at ${row.origin} only`)
  const last = { counter: signed.counter, is_synced: signed.isSynced, last_used: now.toISOString() }
  const locks = [passkeysLock(user.id)]
  return isBehind(signed.counter, row)
    ? { user, locks, rows: [], copied: refuseCopy(user, row, { locks, refusal, counter: signed.counter }) }
    : { user, locks, rows: [passkeys.update(row, last)] }
}

/** Authenticators that do not count, as those that are synced, always say 0 (WebAuthn Level 3, 6.1.1). */
const isBehind = (counter: number, { counter: known }: PasskeyRow): boolean =>
  (counter > 0 || known > 0) && counter <= known

interface Copied {
  readonly locks: readonly Lock[]
  readonly refusal: ProblemKind
  readonly counter: number
}

const refuseCopy = (user: UserRow, row: PasskeyRow, { locks, refusal, counter }: Copied): Change<never> =>
  refusedChange(
    {
      summary: `Refuse the passkey ${row.name} of ${user.email}: its counter went from ${row.counter} to ${counter}, as if it was copied`,
      locks,
      rows: [],
    },
    refusal('The counter of the passkey went back, as if it was copied: delete it, and add another'),
  )

interface Claimed {
  /** As the browser has signed it. */
  readonly origin: string
  readonly refusal: ProblemKind
}

async function verify(response: PasskeyResponse, row: PasskeyRow, { origin, refusal }: Claimed) {
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
      counter: 0, // compared by the caller, who records one that went back
    },
  }).catch((cause: unknown) => {
    throw refusal(undefined, { cause })
  })
  if (!verified) throw refusal()
  return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
}

/** The challenge and the origin of a response, unverified. */
export function clientDataOf(
  text: string,
): { readonly challenge: string; readonly origin: string } | undefined {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : undefined
  } catch {
    return undefined
  }
}
