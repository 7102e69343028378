import type { Backups } from './context.ts'
import type { SiteName } from './depot.ts'
import { type Manifest, sizeOf } from './manifest.ts'
import type { Scan, WebappRestore } from './model.ts'
import { PointUnknown, S3Failed } from './problems.ts'

/** Lists the sets of every website that has backups; websites that are missing on the server come first. */
export async function scanBackups(on: Backups): Promise<Scan> {
  const existing = new Set(
    (await on.queries.sites()).map(({ username, domain }) => keyOf({ username, domain })),
  )
  const entries = await Promise.all(
    (await on.depot.sites()).map(async (site) => ({
      ...site,
      sets: setsIn(await on.depot.points(site)),
      exists_on_server: existing.has(keyOf(site)),
      source: 'local' as const,
    })),
  )
  const backups = entries.filter(({ sets }) => sets.length > 0)
  return {
    backups: backups.toSorted((one, other) => Number(one.exists_on_server) - Number(other.exists_on_server)),
  }
}

const keyOf = ({ username, domain }: SiteName): string => `${username}/${domain}`

const setsIn = (points: readonly Manifest[]) =>
  [...Map.groupBy(points, ({ set }) => set)].map(([name, own]) => ({
    name,
    latest_date: own.at(-1)?.time_mark ?? '',
    size_mb: (own.reduce((sum, point) => sum + sizeOf(point), 0) / 1_000_000).toFixed(2),
    chains: new Set(own.map(({ chain }) => chain)).size,
    source: 'local' as const,
    encrypted: own.at(-1)?.encrypted ?? false,
  }))

/** Returns the backup that a restore by set and time names; fails with 400. */
export async function chosenPoint(
  { depot }: Backups,
  { username, domain, set, time_mark, source }: WebappRestore,
): Promise<Manifest> {
  if (source === 's3') throw S3Failed('source: backups of websites are on this host only, so use local')
  const own = isPlain(username) && isPlain(domain) ? await depot.points({ username, domain }) : []
  const points = own.filter((point) => point.set === set)
  if (points.length === 0)
    throw PointUnknown(`set: there is no backup of ${domain} of ${username} in the set ${set}`)
  const wanted = time_mark === '' ? undefined : Date.parse(time_mark)
  const found =
    wanted === undefined ? points.at(-1) : points.find((point) => Date.parse(point.time_mark) === wanted)
  if (found === undefined)
    throw PointUnknown(`time_mark: the set ${set} of ${domain} has no backup of ${time_mark}`)
  return found
}

/** A name that is a part of a path. */
const isPlain = (name: string): boolean => /^[a-z0-9_][a-z0-9._-]*$/.test(name)
