import { ApiError } from '../../../web/wire.ts'
import { hostingPermissions } from '../../users/model.ts'
import { createUser, editUser } from '../../users/web/queries.ts'
import { newOwner, oneself, type OwnedDraft, type Person } from './owner-form.ts'

/** Creates the account or the user that the draft asks for, and returns the owner's Linux account. */
export async function ensureOwner(me: Person, draft: OwnedDraft): Promise<string | undefined> {
  const { username, email = '', fullname = '', account = '', own_account = '', password = '' } = draft
  if (username === oneself) {
    await editUser(me.id, { username: own_account }).catch(rethrowAt('own_account'))
    return own_account
  }
  if (username !== newOwner) return username
  const permissions = [...hostingPermissions]
  await createUser({ email, fullname, password, username: account, permissions }).catch(rethrowAt('account'))
  return account
}

/** In this form `username` is the owner, and the account that is created has a field of its own. */
const rethrowAt =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.field === 'username')
      throw new ApiError(error.status, { ...error.fields, message: `${field}: ${error.reason}` })
    throw error
  }
