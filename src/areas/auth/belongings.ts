import type { Belongings, Deletion } from '../users/index.ts'
import type { Auth } from './context.ts'
import { withoutFactor } from './otp.ts'
import { passkeys, sessions } from './store.ts'

/** The sessions of a deleted user end, and the second factor is deleted. */
export async function sessionsOfDeleted(on: Auth, { user }: Deletion): Promise<Belongings> {
  const count = (await on.queries.ofUser(user.id)).length
  const factor = await on.queries.otpFactor(user.id)
  const keys = (await on.passkeys.ofUser(user.id)).length
  return {
    details: [
      ...(count === 0 ? [] : [count === 1 ? '1 session ends' : `${count} sessions end`]),
      ...(keys === 0 ? [] : [keys === 1 ? '1 passkey is deleted' : `${keys} passkeys are deleted`]),
      ...(factor === undefined ? [] : ['The second factor is deleted']),
    ],
    rows: [
      sessions.delete({ user_id: user.id }),
      passkeys.delete({ user_id: user.id }),
      ...withoutFactor(user),
    ],
  }
}
