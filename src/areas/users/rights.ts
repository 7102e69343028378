import type { Caller } from '../../core/caller.ts'
import { type PermissionSlug, permissionSlugs } from '../../core/permissions.ts'
import { Forbidden } from '../../core/problem.ts'
import { LastSuperuser, Oneself } from './problems.ts'
import type { UserRow } from './store.ts'

/** Prevents privilege escalation (decision 2.4): only a superuser may edit a superuser. */
export function assertMayEdit(caller: Caller, user: UserRow): void {
  if (user.is_admin === 1 && !caller.user.isAdmin) throw Forbidden('Only a superuser may change a superuser')
}

/** A key with limits would free itself through the account of its user: by a key without them, or another way to sign in. */
export function assertWholeRights({ isLimited }: Caller): void {
  if (isLimited) throw Forbidden('This key is limited: sign in, or use a key without limits')
}

/** Only a superuser may create superusers. */
export function assertMayCreateAdmin(caller: Caller, isAdmin: boolean | undefined): void {
  if (isAdmin === true && !caller.user.isAdmin)
    throw Forbidden('is_admin: only a superuser may make a superuser')
}

/** Callers can only grant permissions that they have. Unknown slugs are skipped. */
export function grantable(
  caller: Caller,
  slugs: readonly string[],
  held: readonly PermissionSlug[],
): readonly PermissionSlug[] {
  const known = [...new Set(slugs)].filter((slug): slug is PermissionSlug =>
    (permissionSlugs as readonly string[]).includes(slug),
  )
  const refused = known.find(
    (slug) => !caller.user.isAdmin && !caller.permissions.has(slug) && !held.includes(slug),
  )
  if (refused) throw Forbidden(`permissions: you do not have ${refused}, so you cannot grant it`)
  return known
}

/** Nobody deletes themselves, and the panel keeps a superuser who can sign in. */
export function assertMayDelete(caller: Caller | null, user: UserRow, activeSuperusers: number): void {
  if (caller === null) throw Forbidden()
  assertMayEdit(caller, user)
  if (caller.user.id === user.id) throw Oneself('uid: is your own: another administrator can delete you')
  const isActive = user.is_admin === 1 && user.is_suspended === 0
  if (isActive && activeSuperusers <= 1)
    throw LastSuperuser(`uid: ${user.email} is the last active superuser`)
}

/**
 * Sudo amounts to a superuser, so only a superuser switches it on. Others may switch it off for accounts of panel
 * users whom they may change.
 */
export function assertMaySetSudo(caller: Caller, owner: UserRow | undefined, isOn: boolean): void {
  if (caller.user.isAdmin) return
  if (isOn) throw Forbidden('sudo: only a superuser may switch it on')
  if (owner === undefined) throw Forbidden('username: the account belongs to no panel user')
  assertMayEdit(caller, owner)
}

/** The panel must always have a superuser who can sign in. */
export function keepsOneSuperuser(
  user: UserRow,
  edit: { readonly is_admin?: boolean; readonly is_suspended?: boolean },
  activeSuperusers: number,
): void {
  const isActive = user.is_admin === 1 && user.is_suspended === 0
  const leaves = edit.is_admin === false || edit.is_suspended === true
  if (isActive && leaves && activeSuperusers <= 1)
    throw LastSuperuser(
      `${edit.is_admin === false ? 'is_admin' : 'is_suspended'}: ${user.email} is the last active superuser`,
    )
}
