import { type PermissionSlug, permissions } from './permissions.ts'
import type { Caller, Visitor } from './caller.ts'

/** The callers that an endpoint admits (the contract's SU, PERM, AUTH and NONE). */
export type Guard =
  | { readonly kind: 'superuser' }
  | { readonly kind: 'permission'; readonly slug: PermissionSlug }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'open'; readonly reason: string; readonly checksCredential?: boolean }
  | KeyGuard
  | { readonly kind: 'socket-token'; readonly purpose: SocketPurpose }

/** A key in a header of its own, as peers and monitors send it. */
export interface KeyGuard extends KeyOptions {
  readonly kind: 'key'
  readonly header: string
  readonly check: (on: any, sent: SentKey) => KeyVerdict | Promise<KeyVerdict>
}

interface KeyOptions {
  /** Without a key, the credential of a superuser is accepted; any other is 403. */
  readonly orSuperuser?: boolean
  /**
   * Admission while no key is configured: direct connections from this host, or with these a superuser's
   * credential. Default: nobody.
   */
  readonly whenUnset?: 'loopback' | 'loopback-superuser'
  /** The query parameter that may contain the key if the header is absent. */
  readonly orQuery?: string
}

/** The key that was sent; empty if there was none. `Bearer` before the value is removed. */
export interface SentKey {
  readonly key: string
  /** True if it was sent in the query. */
  readonly isFromQuery: boolean
  readonly visitor: Visitor
}

/**
 * An area's verdict on a key; `unset` while none is configured. A key that belongs to a user makes that user
 * the caller.
 */
export type KeyVerdict = 'valid' | 'wrong' | 'unset' | Caller

/** The purpose of a socket token. */
export type SocketPurpose = 'terminal' | 'container' | 'ai-tui' | 'partner-chat'

export const superuser: Guard = { kind: 'superuser' }
export const signedIn: Guard = { kind: 'signed-in' }
export const permission = (slug: PermissionSlug): Guard => ({ kind: 'permission', slug })

/** The router requires no credential; the reason states how the endpoint is guarded instead. */
export const open = (reason: string): Guard => ({ kind: 'open', reason })

/** As `open`, but a credential that is sent must be valid. */
export const openUnlessWrong = (reason: string): Guard => ({ kind: 'open', reason, checksCredential: true })

/** A key in a header; `check` receives the area's context. */
export const key = <Context>(
  header: string,
  check: (on: Context, sent: SentKey) => KeyVerdict | Promise<KeyVerdict>,
  options: KeyOptions = {},
): Guard => ({ kind: 'key', header, check, ...options })

/** A token in the query that was issued for this purpose; a successful upgrade consumes it. */
export const socketToken = (purpose: SocketPurpose): Guard => ({ kind: 'socket-token', purpose })

/** True if a signed-in caller passes a guard. A superuser has every permission. */
export function admits(guard: Guard, caller: Caller): boolean {
  if (guard.kind !== 'superuser' && guard.kind !== 'permission') return true
  if (caller.user.isAdmin) return true
  return guard.kind === 'permission' && caller.permissions.has(guard.slug)
}

/** What a signed-in caller is told whom a guard does not admit. */
export const refusal = (guard: Guard): string =>
  guard.kind === 'permission'
    ? `You need the permission "${permissions[guard.slug]}". Ask an administrator`
    : 'Only an administrator can do this. Ask an administrator'

/** The guard in the contract's notation, for documents and messages. */
export function describeGuard(guard: Guard): string {
  if (guard.kind === 'superuser') return 'SU'
  if (guard.kind === 'permission') return `PERM(${guard.slug})`
  if (guard.kind === 'key') return `KEY(${guard.header})${guard.orSuperuser ? ' or SU' : ''}`
  if (guard.kind === 'socket-token') return `SOCKET(${guard.purpose})`
  return guard.kind === 'signed-in' ? 'AUTH' : 'NONE'
}
