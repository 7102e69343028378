import type { Caller } from '../../core/caller.ts'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { PermissionSlug } from '../../core/permissions.ts'
import { success } from '../../core/reply.ts'
import { assertMayActAs } from './act-as.ts'
import { addAccount, createAccount, noAccount } from './account.ts'
import { endKeysOfOthers, noKeysEnded } from './api-keys.ts'
import { detailsOfLastingAccess } from './lasting-access.ts'
import { accountEdits, type AccountEffects } from './account-edits.ts'
import type { Users } from './context.ts'
import { accountLock, superusersLock, userLock } from './locks.ts'
import type { User, UserDraft, UserEdit } from './model.ts'
import { hashNewPassword } from './passwords.ts'
import { EmailTaken, OwnPassword } from './problems.ts'
import { assertMayCreateAdmin, assertMayEdit, grantable, keepsOneSuperuser } from './rights.ts'
import { showUser, userPermissions, type UserRow, users } from './store.ts'

interface Creating extends Deciding {
  /** Makes the hash of the password: a plan of many users does without. */
  readonly hash?: typeof hashNewPassword
}

/** Creates a user with permissions, and with a Linux account if the draft names one. */
export async function createUser(
  on: Users,
  draft: UserDraft,
  { caller, id, now, hash = hashNewPassword }: Creating,
): Promise<Change<User>> {
  assertMayCreateAdmin(caller, draft.is_admin)
  const granted = grantable(caller, draft.permissions ?? [], [])
  const email = draft.email.toLowerCase()
  await refuseTaken(on, email)
  const account = draft.username === undefined ? noAccount : await createAccount(on, draft.username)
  const row = userRow({ ...draft, email }, id(users.name), now, await hash(email, draft.password))
  return change({
    summary: `Create user ${email}`,
    locks: [userLock(email), accountLock(draft.username ?? ''), ...account.locks],
    steps: account.steps,
    rows: [users.insert(row), ...grants(row, granted), ...account.rows],
    reply: showUser(row),
  })
}

/** Changes, suspends or unsuspends a user, resets the password, or adds a Linux account. */
export async function editUser(
  on: Users,
  user: UserRow,
  edit: UserEdit,
  { caller, now }: Deciding,
): Promise<Change<{ success: true }>> {
  assertMayEdit(caller, user)
  assertMayCreateAdmin(caller, edit.is_admin)
  keepsOneSuperuser(user, edit, await on.queries.activeSuperusers())
  const email = edit.email ? edit.email.toLowerCase() : user.email
  if (email !== user.email) await refuseTaken(on, email)
  const account = await addAccount(on, user, edit.username)
  const password_hash = await resetHash(on, { ...user, email }, edit.password, caller)
  const effects = await effectsOf(on, user, edit, caller)
  const isPromoted = edit.is_admin === true && user.is_admin === 0
  const ended = isPromoted ? await endKeysOfOthers(on, user) : noKeysEnded
  const lasting =
    isPromoted || edit.password !== undefined ? await detailsOfLastingAccess(on, user, ended) : []
  const isSuspended = edit.is_suspended === true && user.is_suspended === 0
  const set = {
    email,
    fullname: edit.fullname || user.fullname,
    is_admin: edit.is_admin ?? user.is_admin === 1,
    is_suspended: edit.is_suspended ?? user.is_suspended === 1,
    username: edit.username ?? user.username,
    ...(password_hash !== undefined && { password_hash }),
    updated_at: now.toISOString(),
  }
  return change({
    summary: summaryOf(user, edit),
    details: [...ended.details, ...lasting, ...effects.flatMap(({ details = [] }) => details)],
    locks: [superusersLock, userLock(email), ...accountLocks(user, edit), ...account.locks],
    steps: [...account.steps, ...effects.flatMap((effect) => effect.steps ?? [])],
    rows: [
      users.update(user, set),
      ...(password_hash === undefined && !isSuspended ? [] : [endSessions(user)]),
      ...ended.rows,
      ...effects.flatMap(({ rows = [] }) => rows),
      ...account.rows,
    ],
    reply: success,
  })
}

/** Who lets others sign in as a Linux account acts as its user. */
async function effectsOf(
  on: Users,
  user: UserRow,
  edit: UserEdit,
  caller: Caller,
): Promise<readonly AccountEffects[]> {
  if (edit.sftp_password && caller.user.id !== user.id) await assertMayActAs(on, caller, user, 'the password')
  const isSuspended = edit.is_suspended ?? user.is_suspended === 1
  const effects: AccountEffects[] = []
  for (const effectOf of on.partsOf(accountEdits)) effects.push(await effectOf({ user, edit, isSuspended }))
  return effects
}

const accountLocks = ({ username }: UserRow, edit: UserEdit): readonly Lock[] =>
  [edit.username ?? username].flatMap((name) => (name === null ? [] : [accountLock(name)]))

const summaryOf = ({ email }: UserRow, { password, username }: UserEdit): string =>
  [
    `Change user ${email}`,
    ...(username === undefined ? [] : [`add the Linux account ${username}`]),
    ...(password === undefined ? [] : ['set the password; all sessions of the user end']),
  ].join('; ')

/** Returns the hash of a new password; callers change their own with the current one (`auth/password`). */
async function resetHash(
  on: Users,
  user: UserRow,
  password: string | undefined,
  caller: Caller,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  if (user.id === caller.user.id)
    throw OwnPassword('password: is for another user; change your own under Account')
  await assertMayActAs(on, caller, user, 'the password')
  return hashNewPassword(user.email, password)
}

/** Replaces the permissions of a user. */
export async function setPermissions(
  on: Users,
  user: UserRow,
  slugs: readonly string[],
  { caller }: Deciding,
): Promise<Change<{ success: true }>> {
  assertMayEdit(caller, user)
  const held = await on.queries.permissionsOf(user.id)
  const granted = grantable(caller, slugs, held)
  const isMore = granted.some((slug) => !held.includes(slug))
  const ended = isMore ? await endKeysOfOthers(on, user) : noKeysEnded
  return change({
    summary: `Set the permissions of ${user.email}`,
    details: ended.details,
    locks: [userLock(user.email)],
    rows: [userPermissions.delete({ user_id: user.id }), ...grants(user, granted), ...ended.rows],
    reply: success,
  })
}

/** Returns the writes that grant permissions to a user who has none. */
export const grants = ({ id }: UserRow, slugs: readonly PermissionSlug[]): readonly RowWrite[] =>
  slugs.map((slug) => userPermissions.insert({ user_id: id, slug }))

/** Throws if another user has this e-mail address. */
export async function refuseTaken({ queries }: Users, email: string): Promise<void> {
  if (await queries.byEmail(email)) throw EmailTaken(`email: ${email} belongs to another user`)
}

/** Returns the row of a new user. */
export function userRow(
  draft: Omit<UserDraft, 'password'>,
  id: number,
  now: Date,
  password_hash: string,
): UserRow {
  const at = now.toISOString()
  return users.row({
    id,
    email: draft.email,
    fullname: draft.fullname,
    username: draft.username ?? null,
    password_hash,
    is_admin: draft.is_admin ?? false,
    is_suspended: false,
    created_at: at,
    updated_at: at,
  })
}

/**
 * Sets the password of a user and ends all their sessions but the one that is kept; API keys stay valid
 * (decision 2.5).
 */
export const setPasswordHash = (
  user: UserRow,
  password_hash: string,
  { now, keptSession }: { readonly now: Date; readonly keptSession?: number | null },
): readonly RowWrite[] => [
  users.update(user, { password_hash, updated_at: now.toISOString() }),
  endSessions(user, keptSession),
]

/** Ends the sessions of a user but the one that is kept. */
export const endSessions = ({ id }: Pick<UserRow, 'id'>, keptSession: number | null = null): RowWrite => ({
  write: 'delete',
  table: 'sessions',
  where: { user_id: id },
  ...(keptSession !== null && { except: { id: keptSession } }),
})
