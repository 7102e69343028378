import { type Step, step } from '../../core/change.ts'
import type { Backups } from './context.ts'
import type { SiteName } from './depot.ts'
import { chainOf, type Manifest, type Part, together } from './manifest.ts'
import { BackupDamaged, PointUnknown } from './problems.ts'

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

/** A file of a backup, as the steps of a restore name it. */
interface StoredPart {
  readonly point: string
  readonly part: Part
}

/** Returns the archives of a chain, from the full one. */
export const archivesOf = (chain: readonly Manifest[]): readonly StoredPart[] =>
  chain.map(({ name, parts }) => {
    const part = parts.find(({ kind }) => kind === 'files')
    if (part === undefined) throw BackupDamaged(`${name} has no archive of the files`)
    return { point: name, part }
  })

/** Returns the dumps of the databases of a backup. */
export const dumpsOf = ({ parts }: Manifest): readonly Part[] =>
  parts.filter(({ kind }) => kind === 'database')

/** Returns the step that fetches what this host lacks of a chain; none if it lacks nothing. */
export const fetchSteps = (
  { steps }: Pick<Backups, 'steps'>,
  { username, domain }: SiteName,
  { missing }: Restorable,
): readonly Step[] =>
  missing.length === 0
    ? []
    : [step(steps.fetch, { username, domain, names: missing.map(({ name }) => name) })]
