import type { PermissionSlug } from './permissions.ts'

/** The caller of a request, signed in or not. */
export interface Visitor {
  readonly ip: string
  /** The account of this host that connected over loopback; absent for others, and where it is not needed. */
  readonly localUid?: number
  readonly userAgent: string
  readonly requestId: string
  /** The refresh token that a browser sent as a cookie. */
  readonly refreshCookie?: string
}

/** A signed-in user, through a session or a key. */
export interface Caller extends Visitor {
  readonly user: {
    readonly id: number
    readonly email: string
    readonly isAdmin: boolean
    /** The Linux account that the user owns, if any. */
    readonly username: string | null
  }
  readonly permissions: ReadonlySet<PermissionSlug>
  readonly sessionId: number | null
  readonly keyId: number | null
  /** The key of an agent, whose calls the panel makes in the name of the owner: it is shown no secrets. */
  readonly mcpKeyId?: number
  /** When a code was last entered in this session or a passkey used, in milliseconds since 1970; absent for users without codes. */
  readonly provedAtMs?: number
  /** Set for a key with limits: it does not change the account of its user, by which it could free itself. */
  readonly isLimited?: true
  /** Set for a request that repeats a change of another panel, which has allowed it. */
  readonly isMirrored?: true
}
