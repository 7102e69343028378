import type { Caller } from '../../../core/caller.ts'
import type { ListQuery, Page } from '../../../core/reply.ts'
import type { LoadedWebsite } from '../../websites/index.ts'
import type { Backups } from '../context.ts'
import type { Manifest } from '../manifest.ts'
import { pointsOf } from '../points.ts'
import { DrillUnknown } from '../problems.ts'
import type { Drill, DrillReport, DrillState } from './model.ts'
import { readDrillSettings } from './settings.ts'
import type { ListedDrill } from './store.ts'

const dayMs = 86_400_000

/** How a restore of a website is proven. */
type Proof = Pick<DrillState, 'last' | 'proven_at' | 'age_days' | 'is_overdue'>

interface Judging {
  /** The backups of the website that are known, by time. */
  readonly points: readonly Pick<Manifest, 'time_mark'>[]
  readonly maxAgeDays: number
  readonly now: Date
}

/** Returns how the restore of a website is proven. One that was never proven is as old as its first backup. */
export function proofOf(drills: readonly ListedDrill[], { points, maxAgeDays, now }: Judging): Proof {
  const last = drills.at(-1)
  const proven = drills.findLast(({ passed }) => passed === 1)
  const since = proven?.ended_at ?? points[0]?.time_mark
  const ageOf = (time: string) => Math.max(0, now.getTime() - Date.parse(time))
  return {
    last: last === undefined ? null : showDrill(last),
    proven_at: proven?.ended_at ?? null,
    age_days: proven === undefined ? null : Math.floor(ageOf(proven.ended_at) / dayMs),
    is_overdue: maxAgeDays > 0 && since !== undefined && ageOf(since) > maxAgeDays * dayMs,
  }
}

const showDrill = ({ job_id: _job, passed, ...drill }: ListedDrill): Drill => ({
  ...drill,
  passed: passed === 1,
})

/** Lists the websites that the caller may see with their last drills. */
export async function listDrillStates(
  on: Backups,
  query: ListQuery,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
): Promise<Page<DrillState>> {
  const { items, total } = await on.websites.queries.page(query, caller)
  const { max_age_days: maxAgeDays } = await readDrillSettings(on)
  const drills = Map.groupBy(await on.queries.drillsOf(items.map(({ id }) => id)), (each) => each.website_id)
  const shown = items.map(async (site) => ({
    website_id: site.id,
    domain: site.domain,
    ...proofOf(drills.get(site.id) ?? [], { points: await pointsOf(on, site), maxAgeDays, now }),
  }))
  return { items: await Promise.all(shown), total }
}

/** Lists the drills of a website, newest first. */
export async function listDrills(
  { queries }: Backups,
  { id }: LoadedWebsite,
  { page, per_page }: ListQuery,
): Promise<Page<Drill>> {
  const all = (await queries.drillsOf([id])).toReversed().map(showDrill)
  return { items: all.slice((page - 1) * per_page, page * per_page), total: all.length }
}

/** Returns the report of a drill with its signature. */
export async function readDrillReport(
  { queries }: Backups,
  { id, domain }: LoadedWebsite,
  drillId: number,
): Promise<DrillReport> {
  const [row, key] = await Promise.all([queries.drill(id, drillId), queries.key()])
  if (row === undefined || key === undefined)
    throw DrillUnknown(`drill_id: ${domain} has no drill ${drillId}`)
  return { report: row.report, signature: row.signature, public_key: key.public_key }
}
