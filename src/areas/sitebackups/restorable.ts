import { type Step, step } from '../../core/change.ts'
import type { Backups } from './context.ts'
import { withinRequest } from './copies.ts'
import type { SiteName } from './depot.ts'
import { chainOf, type Manifest, type Part, together } from './manifest.ts'
import { BackupDamaged, PointUnknown } from './problems.ts'
import type { RestoreInput } from './restore-input.ts'

/** A backup and what a restore of it needs. */
export interface Restorable {
  readonly point: Manifest
  /** From the full backup to the point. */
  readonly chain: readonly Manifest[]
  /** Those of the chain that are on S3 alone, from the first one on. */
  readonly missing: readonly Manifest[]
  /** True if the restore fetches them for itself, as this host has some of these backups of its own. */
  readonly isAside: boolean
}

type Sought = SiteName & Pick<RestoreInput, 'name' | 'restore_files' | 'source'>

/**
 * Finds a backup with those that it continues, on this host as far as they are there; S3 is asked for the others alone,
 * unless the backup is to be taken from there.
 */
export async function findRestorable(
  { depot, copies }: Pick<Backups, 'depot' | 'copies'>,
  site: Sought,
  signal: AbortSignal,
): Promise<Restorable> {
  const local = await depot.points(site)
  if (site.source === 's3') {
    const found = chainIn(await withinRequest(signal, (limited) => copies.points(site, limited)), site)
    const isAside = found.chain.some(({ name }) => local.some((each) => each.name === name))
    return { ...found, missing: found.chain, isAside }
  }
  const names = new Set(local.map(({ name }) => name))
  const isWhole = ({ name, parent }: Manifest): boolean =>
    names.has(name) && (parent === null || local.some((each) => each.name === parent && isWhole(each)))
  const here = local.find(({ name }) => name === site.name)
  const points =
    here !== undefined && isWhole(here)
      ? local
      : together(local, await withinRequest(signal, (limited) => copies.points(site, limited)))
  const found = chainIn(points, site)
  return { ...found, missing: found.chain.filter(({ name }) => !names.has(name)), isAside: false }
}

function chainIn(points: readonly Manifest[], site: Sought): Pick<Restorable, 'point' | 'chain'> {
  const point = points.find(({ name }) => name === site.name)
  if (point === undefined) throw PointUnknown(`name: ${site.domain} has no backup ${site.name}`)
  return { point, chain: site.restore_files && point.files !== null ? chainOf(points, point) : [point] }
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

/** Returns the step that fetches what this host lacks of a chain; none if it lacks nothing, or the step that unpacks fetches it. */
export const fetchSteps = (
  { steps }: Pick<Backups, 'steps'>,
  { username, domain }: SiteName,
  { missing, isAside }: Restorable,
): readonly Step[] =>
  missing.length === 0 || isAside
    ? []
    : [step(steps.fetch, { username, domain, names: missing.map(({ name }) => name) })]
