import type { Caller, Visitor } from '../../core/caller.ts'
import type { PermissionSlug } from '../../core/permissions.ts'
import type { Ranges } from '../../host/fetch/index.ts'
import type { Store } from '../../store/store.ts'
import {
  apiKeyOf,
  type ApiKeyRow,
  findApiKey,
  findUser,
  markKeyUsed,
  permissionsOf,
  rightsOfKey,
  type UserRow,
  type Users,
} from '../users/index.ts'
import { type Lifetimes, openLifetimes } from './lifetimes.ts'
import type { SessionQueries } from './store.ts'
import { hashToken, isWithinLife, longestAccessMs } from './tokens.ts'

type Known = Pick<Caller, 'user' | 'permissions' | 'sessionId' | 'keyId' | 'isLimited' | 'provedAtMs'> & {
  readonly expiresAt: number
  /** The addresses that a key may be used from; undefined if that is everywhere. */
  readonly from: Ranges | undefined
  markedAt: number
  /** The address of the last use that was stored. */
  markedFrom: string
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
  /** Set where the visitor asks now: a key must admit their address. */
  readonly isPresent?: true
}

/** Tells who stands behind a token. Remembered in memory, and forgotten the moment a user, a session, a permission or a key changes. */
export function openCredentials(store: Store, users: Users, sessions: SessionQueries): Credentials {
  const known = new Map<string, Known>()
  let epoch = 0
  store.onWritten(['users', 'user_permissions', 'sessions', 'api_keys', 'otp_factors'], () => {
    epoch += 1
    known.clear()
  })
  const learn = async (token: string): Promise<Known | undefined> => {
    const before = epoch
    const found = token.startsWith('bap_')
      ? await byKey(users, token)
      : await bySession(users, sessions, token)
    if (before !== epoch) return learn(token) // it may have ended meanwhile
    if (found) {
      if (known.size >= rememberedTokens) known.delete(known.keys().next().value as string)
      known.set(token, found)
    }
    return found
  }
  const mark = (found: Known, ip: string, now: number) => {
    if (now - found.markedAt < markEveryMs && found.markedFrom === ip) return
    found.markedAt = now
    found.markedFrom = ip
    const marking: Promise<unknown> =
      found.keyId === null
        ? sessions.markUsed(found.sessionId as number, ip, new Date(now))
        : markKeyUsed(users, found.keyId, new Date(now))
    marking.catch(() => {}) // the time of last use is a courtesy
  }
  const callerOf = (found: Known | undefined, visitor: Visitor): Caller | undefined => {
    const now = Date.now()
    if (found === undefined || !isCurrent(found, now) || found.from?.has(visitor.ip) === false)
      return undefined
    mark(found, visitor.ip, now)
    const { expiresAt: _end, from: _from, markedAt: _at, markedFrom: _ip, ...caller } = found
    return { ...visitor, ...caller }
  }
  return {
    find: (token, visitor) => {
      const found = known.get(token)
      return found ? callerOf(found, visitor) : learn(token).then((learnt) => callerOf(learnt, visitor))
    },
    now: (earlier) => callerNow(users, sessions, earlier),
    hold: openLifetimes(store, (caller) => validUntil(users, sessions, caller)).hold,
  }
}

async function callerNow(
  users: Users,
  sessions: SessionQueries,
  { userId, keyId, sessionId = null, visitor, isPresent }: Earlier,
): Promise<Caller | undefined> {
  const row = await findUser(users, userId)
  if (row === undefined || row.is_suspended === 1) return undefined
  if (keyId !== null) return callerByKey(users, row, { keyId, visitor, isPresent })
  if (sessionId !== null && (await sessions.byId(sessionId))?.user_id !== userId) return undefined
  const { user, permissions } = await rightsOf(users, row)
  return { ...visitor, user, permissions, sessionId, keyId }
}

/** Work that a key began continues with what the key still allows; where it was sent from does not matter any more. */
async function callerByKey(
  users: Users,
  row: UserRow,
  {
    keyId,
    visitor,
    isPresent = false,
  }: { readonly keyId: number; readonly visitor: Visitor; readonly isPresent?: boolean | undefined },
): Promise<Caller | undefined> {
  const key = await apiKeyOf(users, row.id, keyId)
  if (key === undefined) return undefined
  const { expiresAtMs, from, ...rights } = await rightsOf(users, row, key)
  if (isPresent && from?.has(visitor.ip) === false) return undefined
  return Date.now() < expiresAtMs ? { ...visitor, ...rights, sessionId: null, keyId } : undefined
}

/**
 * Returns until when the credential of a caller who was admitted is valid, in milliseconds since 1970: for an active
 * user who has lost no right since, as a response may depend on any of them. 0 if it is no longer.
 */
async function validUntil(
  users: Users,
  sessions: SessionQueries,
  { user, permissions, sessionId, keyId, mcpKeyId }: Caller,
): Promise<number> {
  if (sessionId === null && keyId === null && mcpKeyId === undefined) return Infinity // the command line of this host, which is no user
  const row = await findUser(users, user.id)
  if (row === undefined || row.is_suspended === 1) return 0
  const key = keyId === null ? undefined : await apiKeyOf(users, user.id, keyId)
  if (keyId !== null && key === undefined) return 0
  const now = await rightsOf(users, row, key)
  if (user.isAdmin && !now.user.isAdmin) return 0
  if (![...permissions].every((each) => now.permissions.has(each))) return 0
  const isThere = sessionId === null || (await sessions.byId(sessionId)) !== undefined
  return isThere ? now.expiresAtMs : 0
}

const isCurrent = ({ keyId, expiresAt }: Known, now: number) =>
  keyId !== null ? now < expiresAt : isWithinLife(expiresAt, now, longestAccessMs)

async function byKey(users: Users, token: string): Promise<Known | undefined> {
  const key = await findApiKey(users, token)
  const user = key && (await findUser(users, key.user_id))
  if (key === undefined || user === undefined || user.is_suspended === 1) return undefined
  const { expiresAtMs, from, ...rights } = await rightsOf(users, user, key)
  return {
    ...rights,
    sessionId: null,
    keyId: key.id,
    expiresAt: expiresAtMs,
    from,
    markedAt: 0,
    markedFrom: '',
  }
}

async function bySession(users: Users, sessions: SessionQueries, token: string): Promise<Known | undefined> {
  const session = await sessions.byAccessHash(hashToken(token))
  const user = session && (await findUser(users, session.user_id))
  if (session === undefined || user === undefined || user.is_suspended === 1) return undefined
  const { user: known, permissions } = await rightsOf(users, user)
  const factor = await sessions.otpFactor(user.id)
  return {
    user: known,
    permissions,
    sessionId: session.id,
    keyId: null,
    ...(factor?.enabled_at && { provedAtMs: session.proved_at === null ? 0 : Date.parse(session.proved_at) }),
    expiresAt: Date.parse(session.access_expires_at),
    from: undefined,
    markedAt: 0,
    markedFrom: '',
  }
}

/** What a user may do now, or what a key of theirs lets its holder do. */
async function rightsOf(users: Users, row: UserRow, key?: ApiKeyRow) {
  const held = await permissionsOf(users, row.id)
  const whole = { isAdmin: row.is_admin === 1, permissions: held, expiresAtMs: Infinity, from: undefined }
  const { isAdmin, permissions, expiresAtMs, from, isLimited } = key
    ? rightsOfKey(key, row, held)
    : { ...whole, isLimited: false }
  const slugs: ReadonlySet<PermissionSlug> = new Set(permissions)
  const user = { id: row.id, email: row.email, isAdmin, username: row.username }
  return { user, permissions: slugs, expiresAtMs, from, ...(isLimited && { isLimited: true as const }) }
}
