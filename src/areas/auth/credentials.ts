import type { Caller, Visitor } from '../../core/caller.ts'
import type { PermissionSlug } from '../../core/permissions.ts'
import type { Store } from '../../store/store.ts'
import {
  findApiKey,
  findUser,
  hasApiKey,
  markKeyUsed,
  permissionsOf,
  type UserRow,
  type Users,
} from '../users/index.ts'
import { type Lifetimes, openLifetimes } from './lifetimes.ts'
import type { SessionQueries } from './store.ts'
import { hashToken, isWithinLife, longestAccessMs } from './tokens.ts'

type Known = Pick<Caller, 'user' | 'permissions' | 'sessionId' | 'keyId'> & {
  readonly expiresAt: number
  markedAt: number
}

const rememberedTokens = 10_000
const markEveryMs = 60_000

/** Finds callers by their tokens, and returns how long a credential is valid. */
export interface Credentials {
  find(token: string, visitor: Visitor): Caller | undefined | Promise<Caller | undefined>
  readonly hold: Lifetimes['hold']
  /** A caller of earlier as they are now; undefined where the user, the session or the key is gone, or the user is suspended. */
  now(earlier: Earlier): Promise<Caller | undefined>
}

/** Who a caller was when they asked for something. */
interface Earlier {
  readonly userId: number
  readonly keyId: number | null
  /** Absent where what was asked for continues after the session. */
  readonly sessionId?: number | null
  readonly visitor: Visitor
}

/** Tells who stands behind a token. Remembered in memory, and forgotten the moment a user, a session, a permission or a key changes. */
export function openCredentials(store: Store, users: Users, sessions: SessionQueries): Credentials {
  const known = new Map<string, Known>()
  let epoch = 0
  store.onWritten(['users', 'user_permissions', 'sessions', 'api_keys'], () => {
    epoch += 1
    known.clear()
  })
  const learn = async (token: string): Promise<Known | undefined> => {
    const before = epoch
    const found = token.startsWith('bap_')
      ? await byKey(users, token)
      : await bySession(users, sessions, token)
    if (found && before === epoch) {
      if (known.size >= rememberedTokens) known.delete(known.keys().next().value as string)
      known.set(token, found)
    }
    return found
  }
  const mark = (found: Known, now: number) => {
    if (now - found.markedAt < markEveryMs) return
    found.markedAt = now
    const marking: Promise<unknown> =
      found.keyId === null
        ? sessions.markUsed(found.sessionId as number, new Date(now))
        : markKeyUsed(users, found.keyId, new Date(now))
    marking.catch(() => {}) // the time of last use is a courtesy
  }
  const callerOf = (found: Known | undefined, visitor: Visitor): Caller | undefined => {
    const now = Date.now()
    if (found === undefined || !isCurrent(found, now)) return undefined
    mark(found, now)
    const { user, permissions, sessionId, keyId } = found
    return { ...visitor, user, permissions, sessionId, keyId }
  }
  return {
    find: (token, visitor) => {
      const found = known.get(token)
      return found ? callerOf(found, visitor) : learn(token).then((learnt) => callerOf(learnt, visitor))
    },
    now: (earlier) => callerNow(users, sessions, earlier),
    hold: openLifetimes(store, (caller) => isValid(users, sessions, caller)).hold,
  }
}

async function callerNow(
  users: Users,
  sessions: SessionQueries,
  { userId, keyId, sessionId = null, visitor }: Earlier,
): Promise<Caller | undefined> {
  const row = await findUser(users, userId)
  if (row === undefined || row.is_suspended === 1) return undefined
  if (keyId !== null && !(await hasApiKey(users, userId, keyId))) return undefined
  if (sessionId !== null && (await sessions.byId(sessionId))?.user_id !== userId) return undefined
  return { ...visitor, ...(await rightsOf(users, row)), sessionId, keyId }
}

/**
 * Whether the credential of a caller who was admitted still exists, for an active user who has lost no right
 * since: a response may depend on any of them.
 */
async function isValid(
  users: Users,
  sessions: SessionQueries,
  { user, permissions, sessionId, keyId }: Caller,
): Promise<boolean> {
  if (sessionId === null && keyId === null) return true // the command line of this host, which is no user
  const row = await findUser(users, user.id)
  if (row === undefined || row.is_suspended === 1) return false
  const now = await rightsOf(users, row)
  if (user.isAdmin && !now.user.isAdmin) return false
  if (![...permissions].every((each) => now.permissions.has(each))) return false
  if (sessionId !== null) return (await sessions.byId(sessionId)) !== undefined
  return keyId !== null && hasApiKey(users, user.id, keyId)
}

const isCurrent = ({ keyId, expiresAt }: Known, now: number) =>
  keyId !== null || isWithinLife(expiresAt, now, longestAccessMs)

async function byKey(users: Users, token: string): Promise<Known | undefined> {
  const key = await findApiKey(users, token)
  const user = key && (await findUser(users, key.user_id))
  if (key === undefined || user === undefined || user.is_suspended === 1) return undefined
  return {
    ...(await rightsOf(users, user)),
    sessionId: null,
    keyId: key.id,
    expiresAt: Infinity,
    markedAt: 0,
  }
}

async function bySession(users: Users, sessions: SessionQueries, token: string): Promise<Known | undefined> {
  const session = await sessions.byAccessHash(hashToken(token))
  const user = session && (await findUser(users, session.user_id))
  if (session === undefined || user === undefined || user.is_suspended === 1) return undefined
  return {
    ...(await rightsOf(users, user)),
    sessionId: session.id,
    keyId: null,
    expiresAt: Date.parse(session.access_expires_at),
    markedAt: 0,
  }
}

async function rightsOf(users: Users, row: UserRow) {
  const permissions: ReadonlySet<PermissionSlug> = new Set(await permissionsOf(users, row.id))
  return {
    user: { id: row.id, email: row.email, isAdmin: row.is_admin === 1, username: row.username },
    permissions,
  }
}
