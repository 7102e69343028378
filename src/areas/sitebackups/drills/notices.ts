import { contribution } from '../../../core/point.ts'
import { type Notice, noticed } from '../../notifications/index.ts'
import type { Backups } from '../context.ts'
import { pointsOf } from '../points.ts'
import { proofOf } from './drills.ts'
import { readDrillSettings } from './settings.ts'

type Noticing = Pick<Backups, 'depot' | 'queries'>

/** Tells the owners of websites that a backup did not restore. */
export const noticesOfDrills = ({ queries }: Pick<Backups, 'queries'>) =>
  contribution(noticed, {
    name: 'drills',
    kinds: [{ name: 'drill_failed', title: 'A backup of a website did not restore in a drill' }],
    after: ['backup_drills'],
    read: () => readFailedDrills({ queries }),
  })

/** Tells them that no restore was proven for too long. */
export const noticesOfOldProofs = (on: Noticing) =>
  contribution(noticed, {
    name: 'proofs',
    kinds: [{ name: 'drill_overdue', title: 'The last proven restore of a website is too old' }],
    after: { seconds: 300 },
    read: () => readOldProofs(on, new Date()),
  })

/** Returns the websites whose last drill failed. */
async function readFailedDrills({ queries }: Pick<Backups, 'queries'>): Promise<readonly Notice[]> {
  const drills = Map.groupBy(await queries.allDrills(), (each) => each.website_id)
  const sites = await queries.sites()
  return sites.flatMap(({ id, domain, user_id }) => {
    const last = drills.get(id)?.at(-1)
    if (last === undefined || last.passed === 1) return []
    return {
      kind: 'drill_failed',
      key: `drill-failed:${last.id}`,
      group: domain,
      to: user_id,
      title: `The backup of ${domain} did not restore in a drill`,
      message: last.message.slice(0, 500),
      link: `/websites/${id}/backups`,
    }
  })
}

/** Returns the websites whose last proof is too old; one that was never proven has the age of its first backup. */
export async function readOldProofs(on: Noticing, now: Date): Promise<readonly Notice[]> {
  const { max_age_days: maxAgeDays } = await readDrillSettings(on)
  if (maxAgeDays === 0) return []
  const drills = Map.groupBy(await on.queries.allDrills(), (each) => each.website_id)
  const notices: Notice[] = []
  for (const site of await on.queries.sites()) {
    const points = await pointsOf(on, site)
    const { proven_at, is_overdue } = proofOf(drills.get(site.id) ?? [], { points, maxAgeDays, now })
    if (!is_overdue) continue
    const since = proven_at === null ? 'No restore was ever proven' : `It was on ${proven_at}`
    notices.push({
      kind: 'drill_overdue',
      key: `drill-overdue:${site.id}:${proven_at ?? 'never'}`,
      group: site.domain,
      lasts: true,
      to: site.user_id,
      title: `The last proven restore of ${site.domain} is too old`,
      message: `${since}; the limit is ${maxAgeDays} days.`,
      link: `/websites/${site.id}/backups`,
    })
  }
  return notices
}
