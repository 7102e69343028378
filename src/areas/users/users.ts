import { type Change, change } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { deleteRow, insertRow, updateRow } from '../../store/rows.ts'
import type { Accounts } from '../../host/accounts.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { createAccount } from './account.ts'
import { apiKeyVerbs, type ChangeContext } from './api-keys.ts'
import type { User, UserDraft, UserEdit } from './model.ts'
import { hashPassword } from './passwords.ts'
import { EmailTaken } from './problems.ts'
import { grantable, keepsOneSuperuser, assertMayCreateAdmin, assertMayEdit } from './rights.ts'
import type { UserQueries, UserRow } from './store.ts'
import { accountLock, superusersLock, userLock } from './locks.ts'

interface UserParts {
  readonly queries: UserQueries
  readonly accounts: Accounts
  readonly tools: Pick<Tools, 'accounts'>
}

/** The verbs of the area: changes of users, planned but not yet executed. */
// oxlint-disable-next-line max-lines-per-function -- a table of short verbs
export function userVerbs(parts: UserParts) {
  const { queries } = parts
  return {
    /** Returns the user with this id, or fails with 404. */
    load: async (id: number): Promise<UserRow> => (await queries.byId(id)) ?? missing(id),
    create: async (draft: UserDraft, context: ChangeContext): Promise<Change<User>> => {
      assertMayCreateAdmin(context.caller, draft.is_admin)
      const email = draft.email.toLowerCase()
      if (await queries.byEmail(email)) throw EmailTaken(`email: ${email} belongs to another user`)
      const steps = draft.username === undefined ? [] : await createAccount(draft.username, parts)
      const row = userRow(
        { ...draft, email },
        context.id('users'),
        context.now,
        await hashPassword(draft.password),
      )
      return change({
        summary: `Create user ${email}`,
        locks: [userLock(email), accountLock(draft.username ?? '')],
        steps,
        rows: [insertRow('users', row)],
        reply: showUser(row),
      })
    },
    edit: async (
      user: UserRow,
      edit: UserEdit,
      { caller, now }: ChangeContext,
    ): Promise<Change<{ success: true }>> => {
      assertMayEdit(caller, user)
      assertMayCreateAdmin(caller, edit.is_admin)
      keepsOneSuperuser(user, edit, await queries.activeSuperusers())
      const email = edit.email ? edit.email.toLowerCase() : user.email
      if (email !== user.email && (await queries.byEmail(email)))
        throw EmailTaken(`email: ${email} belongs to another user`)
      const set = {
        email,
        fullname: edit.fullname || user.fullname,
        is_admin: Number(edit.is_admin ?? user.is_admin === 1),
        is_suspended: Number(edit.is_suspended ?? user.is_suspended === 1),
        updated_at: now.toISOString(),
        revision: user.revision + 1,
      }
      const rows = [updateRow('users', { id: user.id, revision: user.revision }, set)]
      return change({
        summary: `Change user ${user.email}`,
        locks: [superusersLock, userLock(email)],
        rows,
        reply: success,
      })
    },
    setPermissions: async (
      user: UserRow,
      slugs: readonly string[],
      { caller }: ChangeContext,
    ): Promise<Change<{ success: true }>> => {
      assertMayEdit(caller, user)
      const granted = grantable(caller, slugs, await queries.permissionsOf(user.id))
      const rows = [
        deleteRow('user_permissions', { user_id: user.id }),
        ...granted.map((slug) => insertRow('user_permissions', { user_id: user.id, slug })),
      ]
      return change({
        summary: `Set the permissions of ${user.email}`,
        locks: [userLock(user.email)],
        rows,
        reply: success,
      })
    },
    ...apiKeyVerbs(queries),
  }
}

function missing(id: number): never {
  throw NotFound(`uid: there is no user ${id}`)
}

/** Returns the reply of a user. */
export function showUser(row: UserRow): User {
  const { id, email, fullname, username, created_at, updated_at, revision } = row
  return {
    id,
    email,
    fullname,
    username,
    is_admin: row.is_admin === 1,
    is_suspended: row.is_suspended === 1,
    created_at,
    updated_at,
    revision,
  }
}

/** Returns the row of a new user. */
export function userRow(
  draft: Omit<UserDraft, 'password'>,
  id: number,
  now: Date,
  password_hash: string,
): UserRow {
  const at = now.toISOString()
  return {
    id,
    email: draft.email,
    fullname: draft.fullname,
    username: draft.username ?? null,
    password_hash,
    is_admin: Number(draft.is_admin ?? false),
    is_suspended: 0,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
}
