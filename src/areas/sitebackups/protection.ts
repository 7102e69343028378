import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import type { Backups } from './context.ts'
import { sizeOf } from './manifest.ts'
import type { Protection } from './model.ts'
import { pointsOf, showBackup } from './points.ts'

/** Lists the websites that the caller may see with the age and size of their backups. */
export async function listProtection(
  on: Backups,
  query: ListQuery,
  caller: Caller,
): Promise<Page<Static<typeof Protection>>> {
  const { items, total } = await on.websites.queries.page(query, caller)
  const shown = await Promise.all(
    items.map(async (site) => {
      const points = await pointsOf(on, site)
      const latest = points.at(-1)
      const sets = await on.queries.setsOf(site.id)
      return {
        website_id: site.id,
        domain: site.domain,
        latest: latest === undefined ? null : showBackup(latest, { source: 'local', is_copied: false }),
        backup_count: points.length,
        size_bytes: points.reduce((sum, point) => sum + sizeOf(point), 0),
        is_scheduled: sets.some(({ schedule }) => schedule !== ''),
      }
    }),
  )
  return { items: shown, total }
}
