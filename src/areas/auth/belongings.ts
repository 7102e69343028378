import type { Belongings, Deletion } from '../users/index.ts'
import type { Auth } from './context.ts'
import { sessions } from './store.ts'

/** The sessions of a deleted user end. */
export async function sessionsOfDeleted({ queries }: Auth, { user }: Deletion): Promise<Belongings> {
  const count = (await queries.ofUser(user.id)).length
  return {
    details: count === 0 ? [] : [count === 1 ? '1 session ends' : `${count} sessions end`],
    rows: [sessions.delete({ user_id: user.id })],
  }
}
