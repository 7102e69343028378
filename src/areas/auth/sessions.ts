import type { Visitor } from '../../core/caller.ts'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { deleteRow, insertRow, updateRow } from '../../store/rows.ts'
import {
  hashPassword,
  noPassword,
  showUser,
  type User,
  userLock,
  type UserRow,
  type Users,
  verifyPassword,
} from '../users/index.ts'
import type { SignInAttempts } from './attempts.ts'
import type { PasswordEdit, SignIn } from './model.ts'
import { PasswordWrong, RefreshRefused, SignInRefused } from './problems.ts'
import type { SessionQueries, SessionRow } from './store.ts'
import { accessSeconds, freshTokens, hashToken, isWithinLife, longestSessionMs } from './tokens.ts'
import { lock } from '../../core/lock.ts'

const sessionLock = lock('session')

interface Asking {
  readonly visitor: Visitor
  readonly now: Date
  readonly id: (table: string) => number
}

interface SigningIn extends Asking {
  readonly signal: AbortSignal
}

export interface TokensReply {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly user: User
}

/** The verbs of the area: opening, renewing and ending sessions. */
// oxlint-disable-next-line max-lines-per-function -- a table of short verbs
export function sessionVerbs(sessions: SessionQueries, users: Users, attempts: SignInAttempts) {
  return {
    signIn: async (
      { email, password }: SignIn,
      { visitor, now, id, signal }: SigningIn,
    ): Promise<Change<TokensReply>> => {
      const succeed = await attempts.begin({ email, ip: visitor.ip, signal })
      const user = await proveUser(users, email, password)
      succeed()
      const tokens = freshTokens(now)
      const sessionId = id('sessions')
      const rows: RowWrite[] = [
        insertRow('sessions', sessionRow({ id: sessionId, user, tokens, visitor, now })),
        insertRow('refresh_tokens', {
          hash: tokens.refreshHash,
          session_id: sessionId,
          created_at: now.toISOString(),
          used_at: null,
        }),
      ]
      return change({ summary: `Sign in ${user.email}`, rows, reply: tokensReply(tokens, user) })
    },
    refresh: async (token: string | undefined, { now }: Asking): Promise<Change<TokensReply>> => {
      const stored =
        token === undefined || token === '' ? undefined : await sessions.refreshToken(hashToken(token))
      const session = stored && (await sessions.byId(stored.session_id))
      const user = session && (await users.byId(session.user_id))
      if (stored?.used_at) {
        await sessions.end(stored.session_id) // it was stolen, or came back: nobody may go on with it
        throw RefreshRefused('The refresh token was used before: the session has been ended')
      }
      if (stored === undefined || session === undefined || user === undefined) throw RefreshRefused()
      if (user.is_suspended === 1 || !isLive(session, now)) throw RefreshRefused()
      const tokens = freshTokens(now)
      const rows = [
        updateRow('refresh_tokens', { hash: stored.hash, used_at: null }, { used_at: now.toISOString() }),
        insertRow('refresh_tokens', {
          hash: tokens.refreshHash,
          session_id: session.id,
          created_at: now.toISOString(),
          used_at: null,
        }),
        updateRow(
          'sessions',
          { id: session.id },
          {
            access_hash: tokens.accessHash,
            access_expires_at: tokens.accessExpiresAt,
            expires_at: tokens.expiresAt,
            last_used_at: now.toISOString(),
          },
        ),
      ]
      return change({
        summary: `Renew a session of ${user.email}`,
        locks: [sessionLock(session.id)],
        rows,
        reply: tokensReply(tokens, user),
      })
    },
    end: (id: number): Change<{ success: true }> =>
      change({ summary: `End session ${id}`, rows: [deleteRow('sessions', { id })], reply: success }),
    changePassword: async (
      userId: number,
      edit: PasswordEdit,
      now: Date,
    ): Promise<Change<{ success: true }>> => {
      const user = (await users.byId(userId)) as UserRow
      if (!(await verifyPassword(user.password_hash, edit.current_password)))
        throw PasswordWrong('current_password: is wrong')
      return newPassword(user, edit.new_password, now)
    },
    resetPassword: newPassword,
  }
}

const isLive = ({ expires_at }: SessionRow, now: Date) =>
  isWithinLife(Date.parse(expires_at), now.getTime(), longestSessionMs)

async function newPassword(user: UserRow, password: string, now: Date): Promise<Change<{ success: true }>> {
  const set = {
    password_hash: await hashPassword(password),
    updated_at: now.toISOString(),
    revision: user.revision + 1,
  }
  const rows = [
    updateRow('users', { id: user.id, revision: user.revision }, set),
    deleteRow('sessions', { user_id: user.id }),
  ]
  return change({
    summary: `Set the password of ${user.email}; all its sessions end`,
    locks: [userLock(user.email)],
    rows,
    reply: success,
  })
}

/** Takes as long for an unknown address as for a wrong password, and says the same. */
async function proveUser(users: Users, email: string, password: string): Promise<UserRow> {
  const user = await users.byEmail(email)
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
}

function sessionRow({ id, user, tokens, visitor, now }: Opening) {
  const at = now.toISOString()
  return {
    id,
    user_id: user.id,
    access_hash: tokens.accessHash,
    access_expires_at: tokens.accessExpiresAt,
    expires_at: tokens.expiresAt,
    created_at: at,
    last_used_at: at,
    ip: visitor.ip,
    user_agent: visitor.userAgent.replaceAll(/[\u0000-\u001f\u007f]/g, ' '),
  }
}

function tokensReply(tokens: ReturnType<typeof freshTokens>, user: UserRow): TokensReply {
  return {
    access_token: tokens.access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: tokens.refresh,
    user: showUser(user),
  }
}
