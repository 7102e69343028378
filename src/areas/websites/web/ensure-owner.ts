import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { ApiError } from '../../../web/wire.ts'
import { hostingPermissions } from '../../users/model.ts'
import { users } from '../../users/web/api.ts'
import { newOwner, oneself, type OwnedDraft, type Person } from './owner-form.ts'

/** Creates the account or the user that the draft asks for, and returns the owner's Linux account. */
export async function ensureOwner(me: Person, draft: OwnedDraft): Promise<string | undefined> {
  const call = ownerCall(me, draft)
  if (!call) return draft.username
  const isOwn = draft.username === oneself
  await run(call)
    .finally(() => readAgain('users', 'me'))
    .catch(rethrowAt(isOwn ? 'own_account' : 'account'))
  return isOwn ? draft.own_account : draft.account
}

/** Makes the request that creates the owner of the draft, or none if the owner exists. */
export function ownerCall(me: Person, draft: OwnedDraft): Call | undefined {
  const { username, email = '', fullname = '', account = '', own_account = '', password = '' } = draft
  if (username === oneself) return users.editUser({ params: { uid: me.id }, body: { username: own_account } })
  if (username !== newOwner) return undefined
  const permissions = [...hostingPermissions]
  return users.createUser({ body: { email, fullname, password, username: account, permissions } })
}

/** In this form `username` is the owner, and the account that is created has a field of its own. */
const rethrowAt =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.field === 'username')
      throw new ApiError(error.status, { ...error.fields, message: `${field}: ${error.reason}` })
    throw error
  }
