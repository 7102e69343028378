import type { Belongings, Deletion } from '../users/index.ts'
import type { Auth } from './context.ts'
import { withoutFactor } from './otp.ts'
import { sessions } from './store.ts'

/** The sessions of a deleted user end, and the second factor is deleted. */
export async function sessionsOfDeleted({ queries }: Auth, { user }: Deletion): Promise<Belongings> {
  const count = (await queries.ofUser(user.id)).length
  const factor = await queries.otpFactor(user.id)
  return {
    details: [
      ...(count === 0 ? [] : [count === 1 ? '1 session ends' : `${count} sessions end`]),
      ...(factor === undefined ? [] : ['The second factor is deleted']),
    ],
    rows: [sessions.delete({ user_id: user.id }), ...withoutFactor(user)],
  }
}
