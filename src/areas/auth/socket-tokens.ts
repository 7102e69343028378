import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller, Visitor } from '../../core/caller.ts'
import type { SocketPurpose } from '../../core/guard.ts'
import type { Credentials } from './credentials.ts'

export const socketTokenSeconds = 60

/** What a token is for: a purpose, and the user whose terminal is opened, if any. */
export interface SocketUse {
  readonly purpose: SocketPurpose
  readonly uid?: number
}

interface Claims extends SocketUse {
  readonly sub: number
  /** The session or API key of the caller: the token ends with it. */
  readonly sid: number | null
  readonly kid: number | null
  readonly jti: string
  /** Seconds since 1970. */
  readonly exp: number
}

/** Tokens that open one socket each, within a minute. */
export interface SocketTokens {
  issue(caller: Caller, use: SocketUse, now: Date): string
  find(
    token: string,
    purpose: SocketPurpose,
    visitor: Visitor,
  ): Promise<{ readonly caller: Caller; readonly userId?: number } | undefined>
  /** Consumes a token; false if it was consumed before. */
  consume(token: string): boolean
}

const header = encode({ alg: 'HS256', typ: 'JWT' })
const longestToken = 2000

/**
 * Opens the tokens. They are signed with a key that is drawn at each start: a restarted panel, which does not know
 * the used ones, accepts none of the former.
 */
export function openSocketTokens(
  credentials: Pick<Credentials, 'now'>,
  clock: () => number = Date.now,
): SocketTokens {
  const key = randomBytes(32)
  const used = new Map<string, number>()
  const read = (token: string) => readClaims(token, key, clock())
  return {
    issue: ({ user, sessionId, keyId }, use, now) => {
      const exp = Math.floor(now.getTime() / 1000) + socketTokenSeconds
      const jti = randomBytes(16).toString('base64url')
      return sign({ sub: user.id, sid: sessionId, kid: keyId, jti, exp, ...use }, key)
    },
    find: async (token, purpose, visitor) => {
      const claims = read(token)
      if (claims === undefined || claims.purpose !== purpose || used.has(claims.jti)) return undefined
      const { sub: userId, sid: sessionId, kid: keyId } = claims
      const caller = await credentials.now({ userId, sessionId, keyId, visitor, isPresent: true })
      return caller && { caller, ...(claims.uid !== undefined && { userId: claims.uid }) }
    },
    consume: (token) => {
      const claims = read(token)
      if (claims === undefined || used.has(claims.jti)) return false
      for (const [jti, exp] of used) if (exp * 1000 < clock()) used.delete(jti)
      used.set(claims.jti, claims.exp)
      return true
    },
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function sign(claims: Claims, key: Buffer): string {
  const text = `${header}.${encode(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

/** The claims of a token that this panel signed and that has not expired; its header is fixed, not believed. */
function readClaims(token: string, key: Buffer, nowMs: number): Claims | undefined {
  const [first, body = '', signature = '', ...more] = token.length > longestToken ? [] : token.split('.')
  if (first !== header || more.length > 0) return undefined
  const expected = createHmac('sha256', key).update(`${header}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const claims: Claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  return claims.exp * 1000 > nowMs ? claims : undefined
}
