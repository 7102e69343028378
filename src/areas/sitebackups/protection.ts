import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import type { Backups } from './context.ts'
import { proofOf } from './drills/drills.ts'
import { readDrillSettings } from './drills/settings.ts'
import { sizeOf } from './manifest.ts'
import type { Protection } from './model.ts'
import { locateForList, shownBackups } from './points.ts'

interface Asking {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

/** Lists the websites that the caller may see with the age and size of their backups, here and on S3. */
export async function listProtection(
  on: Backups,
  query: ListQuery,
  { caller, now, signal }: Asking,
): Promise<Page<Static<typeof Protection>>> {
  const { items, total } = await on.websites.queries.page(query, caller)
  const { max_age_days: maxAgeDays } = await readDrillSettings(on)
  const drills = Map.groupBy(await on.queries.drillsOf(items.map(({ id }) => id)), (each) => each.website_id)
  const shown = (await locateForList(on, items, signal)).map(async ({ site, ...located }) => {
    const { points, show } = shownBackups(located)
    const latest = points.at(-1)
    const sets = await on.queries.setsOf(site.id)
    const { last, proven_at, is_overdue } = proofOf(drills.get(site.id) ?? [], { points, maxAgeDays, now })
    return {
      website_id: site.id,
      domain: site.domain,
      latest: latest === undefined ? null : show(latest),
      backup_count: points.length,
      size_bytes: points.reduce((sum, point) => sum + sizeOf(point), 0),
      is_scheduled: sets.some(({ schedule }) => schedule !== ''),
      proven_at,
      drill_passed: last?.passed ?? null,
      is_overdue,
    }
  })
  return { items: await Promise.all(shown), total }
}
