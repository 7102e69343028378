import { type Lock, singleLock } from '../../core/lock.ts'
import { LicenceLimit, licenceInForce } from '../licence/index.ts'
import type { Websites } from './context.ts'

/** Websites are counted one after another, so that two at the same time do not both get the last place. */
const countLock = singleLock('websites-count')

export const overLicence = { license_limit: LicenceLimit }

/** Refuses one website more than the licence allows; returns the locks under which that holds. */
export async function withinLicence({ licence, queries }: Websites, now: Date): Promise<readonly Lock[]> {
  const most = licenceInForce(licence, now)?.max_websites ?? null
  if (most === null) return []
  if ((await queries.count()) >= most)
    throw LicenceLimit(`the licence allows ${most} websites: delete one, or get a larger licence`)
  return [countLock]
}
