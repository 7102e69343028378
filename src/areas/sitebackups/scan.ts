import type { Backups } from './context.ts'
import { isS3Failure, withinRequest } from './copies.ts'
import type { SiteName } from './depot.ts'
import { type Manifest, sizeOf } from './manifest.ts'
import type { Scan, WebappRestore } from './model.ts'
import { PointUnknown } from './problems.ts'

/** Lists the sets of every website that has backups, here and on S3; websites that are missing on the server come first. */
export async function scanBackups(on: Backups, signal: AbortSignal): Promise<Scan> {
  const existing = new Set(
    (await on.queries.sites()).map(({ username, domain }) => keyOf({ username, domain })),
  )
  const local = await Promise.all(
    (await on.depot.sites()).map(async (site) => ({ site, points: await on.depot.points(site) })),
  )
  const limited = AbortSignal.any([signal, AbortSignal.timeout(scanMs)])
  const copied = await on.copies.sites(limited).catch((error: unknown) => {
    if (!isS3Failure(error)) throw error
    return [] // what is here can be restored without S3
  })
  const found = [
    ...local.map(({ site, points }) => ({ site, sets: setsIn(points, 'local') })),
    ...copied.map(({ site, points }) => ({ site, sets: setsIn(points, 's3') })),
  ].filter(({ sets }) => sets.length > 0)
  const backups = [...Map.groupBy(found, ({ site }) => keyOf(site)).values()].map((own) => {
    const sets = own.flatMap((each) => each.sets)
    const { username, domain } = own[0]!.site
    return {
      username,
      domain,
      sets,
      exists_on_server: existing.has(keyOf({ username, domain })),
      source: own.length > 1 ? ('both' as const) : (sets[0]?.source ?? 'local'),
    }
  })
  return {
    backups: backups.toSorted((one, other) => Number(one.exists_on_server) - Number(other.exists_on_server)),
  }
}

const scanMs = 30_000

const keyOf = ({ username, domain }: SiteName): string => `${username}/${domain}`

const setsIn = (points: readonly Manifest[], source: 'local' | 's3') =>
  [...Map.groupBy(points, ({ set }) => set)].map(([name, own]) => ({
    name,
    latest_date: own.at(-1)?.time_mark ?? '',
    size_mb: (own.reduce((sum, point) => sum + sizeOf(point), 0) / 1_000_000).toFixed(2),
    chains: new Set(own.map(({ chain }) => chain)).size,
    source,
    encrypted: own.at(-1)?.encrypted ?? false,
  }))

/** Returns the backup that a restore by set and time names; fails with 400. */
export async function chosenPoint(
  on: Backups,
  { username, domain, set, time_mark, source }: WebappRestore,
  signal: AbortSignal,
): Promise<Manifest> {
  const own =
    isPlain(username) && isPlain(domain) ? await pointsAt(on, source, { username, domain }, signal) : []
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

async function pointsAt(
  { depot, copies }: Backups,
  source: WebappRestore['source'],
  site: SiteName,
  signal: AbortSignal,
): Promise<readonly Manifest[]> {
  if (source === 'local') return depot.points(site)
  await copies.assertOn()
  return withinRequest(signal, (limited) => copies.points(site, limited))
}

/** A name that is a part of a path. */
const isPlain = (name: string): boolean => /^[a-z0-9_][a-z0-9._-]*$/.test(name)
