import type { Caller, Visitor } from '../../core/caller.ts'
import { type Change, change, refusedChange, type RowWrite, type Step, step } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import {
  detailsOfLastingAccess,
  endSessions,
  findUser,
  findUserByEmail,
  hashNewPassword,
  noPassword,
  setPasswordHash,
  showUser,
  type User,
  userLock,
  type UserRow,
  type Users,
  verifyPassword,
} from '../users/index.ts'
import type { Auth } from './context.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import type { PasswordEdit, SignIn } from './model.ts'
import { eventOf, redeemCode } from './otp.ts'
import { OtpRequired, PasswordWrong, RefreshRefused, SignInCodeWrong, SignInRefused } from './problems.ts'
import { type OtpFactorRow, refreshTokens, type SessionRow, sessions } from './store.ts'
import { accessSeconds, freshTokens, hashToken, isWithinLife, longestSessionMs } from './tokens.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock, type Lock } from '../../core/lock.ts'

const sessionLock = lock('session')

/** There is no caller yet. */
export type SigningIn = Pick<Deciding, 'now' | 'id' | 'signal'> & { readonly visitor: Visitor }

export interface TokensReply {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly user: User
}

/** Opens a session for an e-mail address and a password. */
export async function signIn(
  on: Auth,
  { email, password, otp }: SignIn,
  { visitor, now, id, signal }: SigningIn,
): Promise<Change<TokensReply>> {
  const succeed = await on.attempts.begin({ ...visitor, email, signal })
  const proof = await prove(on, { email, password, otp }, { now, succeed }).catch((error) => {
    const kind = error instanceof Problem ? error.kind : undefined
    if (kind !== OtpRequired) on.partsOf(failedSignIns).forEach((tell) => tell(visitor.ip))
    if (kind === SignInCodeWrong) return refuseCode(on, email, { refusal: error, now })
    throw error
  })
  if ('refusal' in proof) return proof
  const { user, used } = proof
  succeed()
  const steps = (await on.firstPassword.isOf(user.email)) ? [step(on.firstPassword.remove, {})] : []
  return openSession(user, { visitor, now, id, signal }, { ...used, steps, isProved: used !== noCode })
}

/** The password was right: its owner is told. */
async function refuseCode(
  on: Auth,
  email: string,
  { refusal, now }: { readonly refusal: Problem; readonly now: Date },
): Promise<Change<never> & { readonly refusal: Problem }> {
  const user = await findUserByEmail(on.users, email)
  const rows = user === undefined ? [] : eventOf(user.id, 'wrong_code', now)
  return { ...refusedChange({ summary: `Refuse a code of ${email}`, locks: [], rows }, refusal), refusal }
}

/** What has proved who signs in. */
interface Proof {
  /** True if it includes a second factor. */
  readonly isProved: boolean
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
  readonly steps?: readonly Step[]
}

/** Opens a session of a user who has proved who they are. */
export function openSession(
  user: UserRow,
  { visitor, now, id }: SigningIn,
  { isProved, locks, rows, steps = [] }: Proof,
): Change<TokensReply> {
  const tokens = freshTokens(now)
  const session = sessionRow({ id: id(sessions.name), user, tokens, visitor, now, isProved })
  return change({
    summary: `Sign in ${user.email}`,
    locks,
    steps,
    rows: [sessions.insert(session), freshToken(session.id, tokens.refreshHash, now), ...rows],
    reply: tokensReply(tokens, user),
  })
}

async function prove(on: Auth, { email, password, otp }: SignIn, proving: Omit<Proving, 'otp'>) {
  const user = await proveUser(on.users, email, password)
  const factor = await on.queries.otpFactor(user.id)
  const used = factor?.enabled_at ? await proveCode(on, factor, { otp, ...proving }) : noCode
  return { user, used }
}

const noCode = { locks: [], rows: [] }

interface Proving {
  readonly otp: string | undefined
  readonly now: Date
  readonly succeed: () => void
}

/** A sign-in without the code is no failed attempt: its password was right, and the code comes with the next one. */
async function proveCode(on: Auth, factor: OtpFactorRow, { otp = '', now, succeed }: Proving) {
  if (otp.trim() !== '') return redeemCode(on, factor, { otp, now, refusal: SignInCodeWrong })
  succeed()
  throw OtpRequired()
}

/** Renews a session; the refresh token is used up. */
export async function refresh(
  on: Auth,
  token: string | undefined,
  { now }: Pick<Deciding, 'now'>,
): Promise<Change<TokensReply>> {
  const { stored, session, user } = await issued(on, token)
  if (stored.used_at !== null) return endStolen(session)
  if (user.is_suspended === 1 || !isLive(session, now)) throw RefreshRefused()
  const tokens = freshTokens(now)
  const renewed = {
    access_hash: tokens.accessHash,
    access_expires_at: tokens.accessExpiresAt,
    expires_at: tokens.expiresAt,
    last_used_at: now.toISOString(),
  }
  return change({
    summary: `Renew a session of ${user.email}`,
    locks: [sessionLock(session.id)],
    isRecorded: () => false, // the sign-in has the entry; a browser renews every quarter of an hour
    rows: [
      refreshTokens.updateWhere({ hash: stored.hash, used_at: null }, { used_at: now.toISOString() }),
      freshToken(session.id, tokens.refreshHash, now),
      sessions.update(session, renewed),
    ],
    reply: tokensReply(tokens, user),
  })
}

/** Ends a session. */
export function endSession(id: number): Change<{ success: true }> {
  return change({ summary: `End session ${id}`, rows: [sessions.delete({ id })], reply: success })
}

/** Ends the sessions of the caller but the one of this request. */
export const endOtherSessions = ({ user, sessionId }: Caller): Change<{ success: true }> =>
  change({
    summary: `End the other sessions of ${user.email}`,
    locks: [userLock(user.email)],
    rows: [endSessions(user, sessionId)],
    reply: success,
  })

/** Changes the password of the caller, who has to know the current one; the session of this request goes on. */
export async function changePassword(
  { users }: Auth,
  edit: PasswordEdit,
  { caller, now }: Deciding,
): Promise<Change<{ success: true }>> {
  const user = await findUser(users, caller.user.id)
  if (user === undefined || !(await verifyPassword(user.password_hash, edit.current_password)))
    throw PasswordWrong('current_password: is wrong')
  const hash = await hashNewPassword(user.email, edit.new_password, 'new_password')
  return change({
    summary: `Set the password of ${user.email}; all their other sessions end`,
    locks: [userLock(user.email)],
    rows: setPasswordHash(user, hash, { now, keptSession: caller.sessionId }),
    reply: success,
  })
}

/** Sets the password of a user, whose sessions end; superusers who set their own keep the session of this request. */
export async function resetPassword(
  on: Auth,
  user: UserRow,
  password: string,
  { caller, now }: Pick<Deciding, 'caller' | 'now'>,
): Promise<Change<{ success: true }>> {
  const isOwn = caller.user.id === user.id
  return change({
    summary: `Set the password of ${user.email}; all ${isOwn ? 'their other' : 'its'} sessions end`,
    details: await detailsOfLastingAccess(on.users, user),
    locks: [userLock(user.email)],
    rows: setPasswordHash(user, await hashNewPassword(user.email, password), {
      now,
      keptSession: isOwn ? caller.sessionId : null,
    }),
    reply: success,
  })
}

async function issued({ queries, users }: Auth, token: string | undefined) {
  const stored =
    token === undefined || token === '' ? undefined : await queries.refreshToken(hashToken(token))
  const session = stored && (await queries.byId(stored.session_id))
  const user = session && (await findUser(users, session.user_id))
  if (stored === undefined || session === undefined || user === undefined) throw RefreshRefused()
  return { stored, session, user }
}

/** A refresh token that comes back was stolen, or its answer was lost: nobody may continue with the session. */
const endStolen = ({ id }: SessionRow): Change<never> =>
  refusedChange(
    {
      summary: `End session ${id}: its refresh token was used before`,
      locks: [sessionLock(id)],
      rows: [sessions.delete({ id })],
    },
    RefreshRefused('The refresh token was used before: the session has been ended'),
  )

const isLive = ({ expires_at }: SessionRow, now: Date) =>
  isWithinLife(Date.parse(expires_at), now.getTime(), longestSessionMs)

/** Takes as long for an unknown address as for a wrong password, and says the same. */
async function proveUser(users: Users, email: string, password: string): Promise<UserRow> {
  const user = await findUserByEmail(users, email)
  const isRight = await verifyPassword(user?.password_hash ?? noPassword, password)
  if (user === undefined || !isRight || user.is_suspended === 1) throw SignInRefused()
  return user
}

interface Opening {
  readonly id: number
  readonly user: UserRow
  readonly tokens: ReturnType<typeof freshTokens>
  readonly visitor: Visitor
  readonly now: Date
  /** True if a code of the second factor was entered. */
  readonly isProved: boolean
}

function sessionRow({ id, user, tokens, visitor, now, isProved }: Opening) {
  const at = now.toISOString()
  return sessions.row({
    id,
    user_id: user.id,
    access_hash: tokens.accessHash,
    access_expires_at: tokens.accessExpiresAt,
    expires_at: tokens.expiresAt,
    created_at: at,
    last_used_at: at,
    proved_at: isProved ? at : null,
    ip: visitor.ip,
    user_agent: visitor.userAgent.replaceAll(/[\u0000-\u001f\u007f]/g, ' '),
  })
}

const freshToken = (session_id: number, hash: string, now: Date): RowWrite =>
  refreshTokens.insert(refreshTokens.row({ hash, session_id, created_at: now.toISOString() }))

function tokensReply(tokens: ReturnType<typeof freshTokens>, user: UserRow): TokensReply {
  return {
    access_token: tokens.access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: tokens.refresh,
    user: showUser(user),
  }
}
