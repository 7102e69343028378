import { contribution } from '../../../core/point.ts'
import { type Notice, noticed } from '../../notifications/index.ts'
import type { Backups } from '../context.ts'
import { pointsOf } from '../points.ts'
import { proofOf } from './drills.ts'
import { readDrillSettings } from './settings.ts'

type Noticing = Pick<Backups, 'depot' | 'queries'>

/** Tells the owners of websites that a backup did not restore, or that none was proven for too long. */
export const noticesOfDrills = (on: Noticing) =>
  contribution(noticed, {
    name: 'drills',
    kinds: [
      { name: 'drill_failed', title: 'A backup of a website did not restore in a drill' },
      { name: 'drill_overdue', title: 'The last proven restore of a website is too old' },
    ],
    after: { seconds: 300 },
    read: () => readDrillNotices(on, new Date()),
  })

/** Returns the websites whose last drill failed, and those whose proof is too old. */
export async function readDrillNotices(on: Noticing, now: Date): Promise<readonly Notice[]> {
  const { max_age_days: maxAgeDays } = await readDrillSettings(on)
  const drills = Map.groupBy(await on.queries.allDrills(), (each) => each.website_id)
  const notices: Notice[] = []
  for (const site of await on.queries.sites()) {
    const points = await pointsOf(on, site)
    const { last, proven_at, is_overdue } = proofOf(drills.get(site.id) ?? [], { points, maxAgeDays, now })
    const about = { group: site.domain, to: site.user_id, link: `/websites/${site.id}/backups` }
    if (last?.passed === false)
      notices.push({
        ...about,
        kind: 'drill_failed',
        key: `drill-failed:${last.id}`,
        title: `The backup of ${site.domain} did not restore in a drill`,
        message: last.message.slice(0, 500),
      })
    if (is_overdue)
      notices.push({
        ...about,
        kind: 'drill_overdue',
        key: `drill-overdue:${site.id}:${proven_at ?? 'never'}`,
        lasts: true,
        title: `The last proven restore of ${site.domain} is too old`,
        message: `${proven_at === null ? 'No restore was ever proven' : `It was on ${proven_at}`}; the limit is ${maxAgeDays} days.`,
      })
  }
  return notices
}
