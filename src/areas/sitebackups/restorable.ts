import type { Backups } from './context.ts'
import type { SiteName } from './depot.ts'
import { chainOf, type Manifest, together } from './manifest.ts'
import { PointUnknown } from './problems.ts'

/** A backup and what a restore of it needs. */
export interface Restorable {
  readonly point: Manifest
  /** From the full backup to the point. */
  readonly chain: readonly Manifest[]
  /** Those of the chain that are on S3 alone, from the first one on. */
  readonly missing: readonly Manifest[]
}

/** Finds a backup with those that it continues, on this host as far as they are there; S3 is asked for the others alone. */
export async function findRestorable(
  { depot, copies }: Pick<Backups, 'depot' | 'copies'>,
  site: SiteName & { readonly name: string; readonly restore_files: boolean },
  signal: AbortSignal,
): Promise<Restorable> {
  const local = await depot.points(site)
  const names = new Set(local.map(({ name }) => name))
  const isWhole = ({ name, parent }: Manifest): boolean =>
    names.has(name) && (parent === null || local.some((each) => each.name === parent && isWhole(each)))
  const here = local.find(({ name }) => name === site.name)
  const points =
    here !== undefined && isWhole(here) ? local : together(local, await copies.points(site, signal))
  const point = points.find(({ name }) => name === site.name)
  if (point === undefined) throw PointUnknown(`name: ${site.domain} has no backup ${site.name}`)
  const chain = site.restore_files && point.files !== null ? chainOf(points, point) : [point]
  return { point, chain, missing: chain.filter(({ name }) => !names.has(name)) }
}
