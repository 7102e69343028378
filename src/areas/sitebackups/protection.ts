import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import type { Backups } from './context.ts'
import { sizeOf } from './manifest.ts'
import type { Protection } from './model.ts'
import { locateForList, shownBackups } from './points.ts'

/** Lists the websites that the caller may see with the age and size of their backups, here and on S3. */
export async function listProtection(
  on: Backups,
  query: ListQuery,
  caller: Caller,
  signal: AbortSignal,
): Promise<Page<Static<typeof Protection>>> {
  const { items, total } = await on.websites.queries.page(query, caller)
  const shown = (await locateForList(on, items, signal)).map(async ({ site, ...located }) => {
    const { points, show } = shownBackups(located)
    const latest = points.at(-1)
    const sets = await on.queries.setsOf(site.id)
    return {
      website_id: site.id,
      domain: site.domain,
      latest: latest === undefined ? null : show(latest),
      backup_count: points.length,
      size_bytes: points.reduce((sum, point) => sum + sizeOf(point), 0),
      is_scheduled: sets.some(({ schedule }) => schedule !== ''),
    }
  })
  return { items: await Promise.all(shown), total }
}
