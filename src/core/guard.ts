import type { Caller } from './caller.ts'

/** The permissions that can be granted, with the titles people see. */
export const permissions = {
  websites_management: 'Manage websites and their files',
  administrative_operations: 'Administer services of the host',
  plugins_management: 'Enable and disable plugins',
  booting_users_management: 'Manage users',
  terminal_access: 'Open a terminal',
} as const

export type PermissionSlug = keyof typeof permissions
export const permissionSlugs = Object.keys(permissions) as readonly PermissionSlug[]

/** Who may call an endpoint (the contract's SU, PERM, AUTH and NONE). */
export type Guard =
  | { readonly kind: 'superuser' }
  | { readonly kind: 'permission'; readonly slug: PermissionSlug }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'open'; readonly reason: string; readonly checksCredential?: boolean }

export const superuser: Guard = { kind: 'superuser' }
export const signedIn: Guard = { kind: 'signed-in' }
export const permission = (slug: PermissionSlug): Guard => ({ kind: 'permission', slug })

/** No credential is asked for by the router; the reason says what guards the endpoint instead. */
export const open = (reason: string): Guard => ({ kind: 'open', reason })

/** As `open`, but a credential that is sent must be valid. */
export const openUnlessWrong = (reason: string): Guard => ({ kind: 'open', reason, checksCredential: true })

/** Whether a signed-in caller passes a guard. A superuser holds every permission. */
export function admits(guard: Guard, caller: Caller): boolean {
  if (guard.kind === 'open' || guard.kind === 'signed-in') return true
  if (caller.user.isAdmin) return true
  return guard.kind === 'permission' && caller.permissions.has(guard.slug)
}

/** The guard in the contract's words, for documents and messages. */
export function describeGuard(guard: Guard): string {
  if (guard.kind === 'superuser') return 'SU'
  if (guard.kind === 'permission') return `PERM(${guard.slug})`
  return guard.kind === 'signed-in' ? 'AUTH' : 'NONE'
}
