import { randomBytes } from 'node:crypto'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock, type Lock } from '../../core/lock.ts'
import { Forbidden, type ProblemKind } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { findUserByEmail, type UserRow, verifyPassword } from '../users/index.ts'
import type { Auth } from './context.ts'
import type { BothFactors, OtpSetup, OtpState } from './model.ts'
import { OtpAlreadyEnabled, OtpNotEnabled, OtpNotSetUp, OtpWrong, PasswordWrong } from './problems.ts'
import { passkeysLock } from './passkey-proof.ts'
import {
  type FactorEventRow,
  factorEvents,
  type OtpFactorRow,
  otpFactors,
  passkeys,
  recoveryCodes,
  sessions,
} from './store.ts'
import { base32, matchingCounter } from './totp.ts'

const keyBytes = 20 // as RFC 4226 advises for SHA-1
const recoveryCodeCount = 10
const recoveryCodeLength = 10 // 50 bits
const otpLock = lock('otp')

type SetUp = Pick<Deciding, 'now'>

/** Tells whether a code is asked for at sign-in, and how many recovery codes are left. */
export async function readOtp({ queries }: Auth, userId: number): Promise<OtpState> {
  const factor = await queries.otpFactor(userId)
  const codes = await queries.recoveryCodesOf(userId)
  return { is_enabled: (factor?.enabled_at ?? null) !== null, recovery_codes: codes.length }
}

/** Starts the setup of one-time codes. Nothing is asked at sign-in before a first code has been entered. */
export async function setUpOtp(
  on: Auth,
  user: UserRow,
  { password }: { readonly password: string },
  { now }: SetUp,
): Promise<Change<OtpSetup>> {
  await assertPassword(user, password)
  if ((await on.queries.otpFactor(user.id))?.enabled_at)
    throw OtpAlreadyEnabled('Your second factor is enabled: disable it before you set up another')
  const key = randomBytes(keyBytes)
  const row = otpFactors.row({
    user_id: user.id,
    sealed_secret: on.store.seal(key.toString('base64url')),
    last_counter: 0,
    created_at: now.toISOString(),
  })
  const secret = base32(key)
  return change({
    summary: `Set up one-time codes for ${user.email}`,
    locks: [otpLock(user.id)],
    rows: [otpFactors.delete({ user_id: user.id }), otpFactors.insert(row)],
    reply: { secret, url: urlOf(user.email, secret) },
  })
}

/** Enables the one-time codes whose first code the user entered, and creates recovery codes. */
export async function enableOtp(
  on: Auth,
  user: UserRow,
  { otp }: { readonly otp: string },
  { now, caller: { sessionId } }: Pick<Deciding, 'now' | 'caller'>,
): Promise<Change<{ readonly recovery_codes: string[] }>> {
  const factor = await on.queries.otpFactor(user.id)
  if (factor === undefined) throw OtpNotSetUp()
  if (factor.enabled_at !== null) throw OtpAlreadyEnabled()
  const counter = await assertCode(on, factor, otp, now)
  const fresh = freshRecoveryCodes(on, user)
  return change({
    summary: `Enable one-time codes for ${user.email}`,
    locks: [otpLock(user.id)],
    rows: [
      otpFactors.updateWhere(unused(factor), { enabled_at: now.toISOString(), last_counter: counter }),
      ...fresh.rows,
      ...(sessionId === null
        ? []
        : [sessions.updateWhere({ id: sessionId }, { proved_at: now.toISOString() })]),
    ],
    reply: { recovery_codes: fresh.codes },
  })
}

/** Disables the one-time codes of a user who knows the password and has a code or a recovery code. */
export async function disableOtp(
  on: Auth,
  user: UserRow,
  { password, otp }: BothFactors,
  { now }: SetUp,
): Promise<Change<{ success: true }>> {
  await assertPassword(user, password)
  await redeemCode(on, await enabledFactor(on, user), { otp, now, refusal: OtpWrong })
  return change({
    summary: `Disable one-time codes for ${user.email}`,
    locks: [otpLock(user.id)],
    rows: [...withoutFactor(user), ...eventOf(user.id, 'disabled', now)],
    reply: success,
  })
}

/** Replaces the recovery codes of a user who knows the password and has a code or a recovery code. */
export async function renewRecoveryCodes(
  on: Auth,
  user: UserRow,
  { password, otp }: BothFactors,
  { now }: SetUp,
): Promise<Change<{ readonly recovery_codes: string[] }>> {
  await assertPassword(user, password)
  const used = await redeemCode(on, await enabledFactor(on, user), { otp, now, refusal: OtpWrong })
  const fresh = freshRecoveryCodes(on, user)
  return change({
    summary: `Replace the recovery codes of ${user.email}`,
    locks: used.locks,
    rows: [...used.rows, ...fresh.rows],
    reply: { recovery_codes: fresh.codes },
  })
}

/** Remembers that the caller has entered a code just now, for what asks for a fresh one. */
export async function confirmOtp(
  on: Auth,
  user: UserRow,
  { otp }: { readonly otp: string },
  { now, caller: { sessionId } }: Pick<Deciding, 'now' | 'caller'>,
): Promise<Change<{ success: true }>> {
  if (sessionId === null) throw Forbidden('Only a session has a second factor: a key is not asked for one')
  const used = await redeemCode(on, await enabledFactor(on, user), { otp, now, refusal: OtpWrong })
  return change({
    summary: `Enter a code of the second factor of ${user.email}`,
    locks: used.locks,
    isRecorded: () => false, // what it allows has the entry
    rows: [...used.rows, sessions.updateWhere({ id: sessionId }, { proved_at: now.toISOString() })],
    reply: success,
  })
}

/**
 * Removes the second factor of a user who has lost it, with the passkeys, which are on the same device or in other hands.
 * Callers prove both factors to remove their own.
 */
export async function resetOtp(
  on: Auth,
  user: UserRow,
  { now, caller }: Pick<Deciding, 'now' | 'caller'>,
): Promise<Change<{ success: true }>> {
  if (user.id === caller.user.id)
    throw Forbidden('email: is your own: turn the second factor off on the page of your account')
  await assertLost(on, user)
  return change({
    summary: `Remove the second factor and the passkeys of ${user.email}`,
    locks: [otpLock(user.id), passkeysLock(user.id)],
    rows: withoutLost(user, now),
    reply: success,
  })
}

/** The same while no panel runs; false if there is no such user. Fails if the user has neither. */
export async function removeSecondFactor(on: Auth, email: string): Promise<boolean> {
  const user = await findUserByEmail(on.users, email)
  if (user === undefined) return false
  await assertLost(on, user)
  await on.store.transaction((tx) => on.store.write(tx, withoutLost(user, new Date())))
  return true
}

/** The rows that delete the second factor of a user. */
export const withoutFactor = ({ id }: UserRow): RowWrite[] => [
  otpFactors.delete({ user_id: id }),
  recoveryCodes.delete({ user_id: id }),
]

/** The rows that note what the user of a factor is told of. */
export function eventOf(user_id: number, kind: FactorEventRow['kind'], now: Date): readonly RowWrite[] {
  const event = { user_id, kind, happened_at: now.toISOString() }
  return [factorEvents.delete({ user_id, kind }), factorEvents.insert(event)]
}

const withoutLost = (user: UserRow, now: Date): RowWrite[] => [
  ...eventOf(user.id, 'removed', now),
  ...withoutFactor(user),
  passkeys.delete({ user_id: user.id }),
]

async function assertLost({ queries, passkeys: stored }: Auth, user: UserRow): Promise<void> {
  const factor = await queries.otpFactor(user.id)
  if (factor?.enabled_at || (await stored.ofUser(user.id)).length > 0) return
  throw OtpNotEnabled(`email: ${user.email} has no second factor and no passkeys`)
}

async function enabledFactor({ queries }: Auth, user: UserRow): Promise<OtpFactorRow> {
  const factor = await queries.otpFactor(user.id)
  if (factor === undefined || factor.enabled_at === null) throw OtpNotEnabled()
  return factor
}

interface Given {
  readonly otp: string
  readonly now: Date
  /** The failure where the code is wrong. */
  readonly refusal: ProblemKind
}

/** The locks and rows of a change that uses up a code. */
interface Redeemed {
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
}

/**
 * Checks a code of the app, or a recovery code, and returns what marks it as used. Throws the refusal, or TooManyCodes. The
 * lock makes a simultaneous request with the same code decide again, which refuses it.
 */
export async function redeemCode(
  on: Auth,
  factor: OtpFactorRow,
  { otp, now, refusal }: Given,
): Promise<Redeemed> {
  const right = on.codes.begin(factor.user_id)
  const locks = [otpLock(factor.user_id)]
  const code = normalised(otp)
  const counter = counterOf(on, factor, code, now)
  if (counter !== undefined) {
    right()
    return { locks, rows: [otpFactors.updateWhere(unused(factor), { last_counter: counter })] }
  }
  const hash = hashOf(on, factor.user_id, code)
  if ((await on.queries.recoveryCode(hash)) === undefined) throw refusal()
  right()
  return { locks, rows: [recoveryCodes.delete({ hash }), ...eventOf(factor.user_id, 'recovery_code', now)] }
}

/** The row as long as no other code was used. */
const unused = ({ user_id, last_counter }: OtpFactorRow) => ({ user_id, last_counter })

async function assertCode(on: Auth, factor: OtpFactorRow, otp: string, now: Date): Promise<number> {
  const right = on.codes.begin(factor.user_id)
  const counter = counterOf(on, factor, normalised(otp), now)
  if (counter === undefined)
    throw OtpWrong('otp: is not the current code: check that the clock of your device is right')
  right()
  return counter
}

const counterOf = ({ store }: Auth, { sealed_secret, last_counter }: OtpFactorRow, code: string, now: Date) =>
  matchingCounter(Buffer.from(store.unseal(sealed_secret), 'base64url'), code, {
    now,
    lastUsed: last_counter,
  })

async function assertPassword({ password_hash }: UserRow, password: string): Promise<void> {
  if (!(await verifyPassword(password_hash, password))) throw PasswordWrong('password: is wrong')
}

/** Codes are typed with spaces and hyphens, and in any case of letters. */
const normalised = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

function freshRecoveryCodes(on: Auth, { id }: UserRow) {
  const codes = Array.from({ length: recoveryCodeCount }, freshRecoveryCode)
  const inserted = codes.map((code) => recoveryCodes.insert({ hash: hashOf(on, id, code), user_id: id }))
  return { codes, rows: [recoveryCodes.delete({ user_id: id }), ...inserted] }
}

function freshRecoveryCode(): string {
  const code = base32(randomBytes(8)).slice(0, recoveryCodeLength).toLowerCase()
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/** Keyed, because 50 bits could be guessed from a plain hash in a stolen store. */
const hashOf = ({ store }: Auth, userId: number, code: string): string =>
  store.sign(`recovery code of ${userId}: ${normalised(code)}`)

function urlOf(email: string, secret: string): string {
  return `otpauth://totp/Hostreeve:${encodeURIComponent(email)}?secret=${secret}&issuer=Hostreeve`
}
