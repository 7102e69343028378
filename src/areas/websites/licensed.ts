import { type Lock, singleLock } from '../../core/lock.ts'
import { LicenceLimit, websiteLimit } from '../licence/index.ts'
import { LimitReached } from './owner-limits.ts'
import type { Websites } from './context.ts'

/** Websites are counted one after another, so that two at the same time do not both get the last place. */
const countLock = singleLock('websites-count')

export const overLicence = { license_limit: LicenceLimit, limit_reached: LimitReached }

const remedies = { licence: 'get a larger licence', configuration: 'raise max_websites' } as const

/** Refuses one website more than the licence or the configuration allows; returns the locks under which that holds. */
export async function withinLicence({ licence, queries }: Websites, now: Date): Promise<readonly Lock[]> {
  const limit = websiteLimit(licence, now)
  if (limit === undefined) return []
  const { most, source } = limit
  if ((await queries.count()) >= most)
    throw LicenceLimit(`the ${source} limits websites to ${most}: delete one, or ${remedies[source]}`)
  return [countLock]
}
