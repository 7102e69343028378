import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { success } from '../../core/reply.ts'
import { userLock } from './locks.ts'
import type { Profile } from './model.ts'
import { TimeZoneUnknown } from './problems.ts'
import { type UserRow, users } from './store.ts'

/** Changes the name of a user, or the time zone in which the panel shows them times. */
export function editProfile(
  user: UserRow,
  { fullname = user.fullname, time_zone = user.time_zone }: Profile,
  { now }: Pick<Deciding, 'now'>,
): Change<{ success: true }> {
  if (time_zone !== null && !isTimeZone(time_zone))
    throw TimeZoneUnknown(`time_zone: there is no time zone ${time_zone}`)
  return change({
    summary: `Change the profile of ${user.email}`,
    locks: [userLock(user.email)],
    rows: [users.update(user, { fullname, time_zone, updated_at: now.toISOString() })],
    reply: success,
  })
}

/**
 * True for the names of the zone database, its aliases such as Etc/UTC among them: `supportedValuesOf` lists one name
 * of each zone only, and another one than a browser does.
 */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false // an offset
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
