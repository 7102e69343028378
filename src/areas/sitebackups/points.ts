import type { ListQuery, Page } from '../../core/reply.ts'
import { change } from '../../core/change.ts'
import { step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { isS3Failure, withinRequest } from './copies.ts'
import { backupLock } from './locks.ts'
import { type Manifest, sizeOf, together } from './manifest.ts'
import type { Backup } from './model.ts'
import { BackupUnknown, StillNeeded } from './problems.ts'

/** Returns the backups of a website that were made for its owner; those of a former owner of its name are another tenant's. */
export async function pointsOf(
  { depot }: Pick<Backups, 'depot'>,
  site: Pick<LoadedWebsite, 'username' | 'domain' | 'user_id'>,
): Promise<readonly Manifest[]> {
  return (await depot.points(site)).filter(({ user_id }) => user_id === site.user_id)
}

/** The backups of a website on this host, and their copies on S3. */
export interface Located {
  readonly local: readonly Manifest[]
  readonly copied: readonly Manifest[]
}

/** Returns the backups of a website here and on S3; fails while S3 does not answer. */
export async function locate(
  on: Backups,
  site: Pick<LoadedWebsite, 'username' | 'domain' | 'user_id'>,
  signal: AbortSignal,
): Promise<Located> {
  const [local, copied] = await Promise.all([
    pointsOf(on, site),
    withinRequest(signal, (limited) => on.copies.points(site, limited)),
  ])
  return { local, copied: copied.filter(({ user_id }) => user_id === site.user_id) }
}

const listingMs = 10_000

/** Returns the same for lists, within seconds: while S3 does not answer, what is on this host, which can be restored without it. */
export async function locateForList<Site extends Pick<LoadedWebsite, 'username' | 'domain' | 'user_id'>>(
  on: Backups,
  sites: readonly Site[],
  signal: AbortSignal,
): Promise<readonly (Located & { readonly site: Site })[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(listingMs)])
  return Promise.all(
    sites.map(async (site) => {
      const located = await locate(on, site, limited).catch(async (error: unknown) => {
        if (!isS3Failure(error)) throw error
        return { local: await pointsOf(on, site), copied: [] }
      })
      return { site, ...located }
    }),
  )
}

/** Returns all backups by time, and what each is shown as. */
export function shownBackups({ local, copied }: Located): {
  readonly points: readonly Manifest[]
  readonly show: (point: Manifest) => Backup
} {
  const here = new Set(local.map(({ name }) => name))
  const there = new Set(copied.map(({ name }) => name))
  return {
    points: together(local, copied),
    show: (point) =>
      showBackup(point, { source: here.has(point.name) ? 'local' : 's3', is_copied: there.has(point.name) }),
  }
}

/** Returns the backups of a website, a page of them. Those on S3 alone are missing while S3 does not answer. */
export async function listBackups(
  on: Backups,
  site: LoadedWebsite,
  { page, per_page, sort, search = '' }: ListQuery,
  signal: AbortSignal,
): Promise<Page<Backup>> {
  const [located = { local: [], copied: [] }] = await locateForList(on, [site], signal)
  const { points, show } = shownBackups(located)
  const found = points.filter(({ name }) => name.includes(search))
  const ordered = sort.startsWith('-') ? found.toReversed() : found
  const items = ordered.slice((page - 1) * per_page, page * per_page)
  return { items: items.map(show), total: found.length }
}

const showBackup = (
  point: Manifest,
  { source, is_copied }: Pick<Backup, 'source' | 'is_copied'>,
): Backup => ({
  name: point.name,
  set: point.set,
  time_mark: point.time_mark,
  size_bytes: sizeOf(point),
  encrypted: point.encrypted,
  source,
  is_copied,
  complete: point.complete,
  is_full: point.parent === null,
  has_files: point.files !== null,
  databases: point.databases,
  file_count: point.files?.entries ?? 0,
  omitted: point.omitted,
  omitted_count: point.omitted_count,
})

interface Finding {
  readonly name: string
  /** Absent for this host, and otherwise S3. */
  readonly source: 'local' | 's3' | undefined
  readonly signal: AbortSignal
}

/** Returns the backup of a website with this name, here or on S3, or fails with 404. */
export async function findPoint(
  on: Backups,
  site: LoadedWebsite,
  { name, source, signal }: Finding,
): Promise<Manifest> {
  const isNamed = (point: Manifest) => point.name === name
  if (source === 's3') await on.copies.assertOn()
  const here = source === 's3' ? undefined : (await pointsOf(on, site)).find(isNamed)
  const found =
    here ?? (source === 'local' ? undefined : (await locate(on, site, signal)).copied.find(isNamed))
  const place = { local: ' on this host', s3: ' on S3' }
  if (found === undefined)
    throw BackupUnknown(`name: ${site.domain} has no backup ${name}${source ? place[source] : ''}`)
  return found
}

/** Deletes a backup with its copy on S3; one that others continue is refused, as they would not restore without it. */
export async function deleteBackup(on: Backups, site: LoadedWebsite, name: string, signal: AbortSignal) {
  const { local, copied } = await locate(on, site, signal)
  const [isHere, isThere] = [local, copied].map((points) => points.some((point) => point.name === name))
  if (!isHere && !isThere) throw BackupUnknown(`name: ${site.domain} has no backup ${name}`)
  const later = together(local, copied).find(({ parent }) => parent === name)
  if (later !== undefined)
    throw StillNeeded(
      `name: ${later.name} continues ${name} and does not restore without it: delete that first`,
    )
  const { username, domain } = site
  return change({
    summary: `Delete the backup ${name} of ${domain}`,
    locks: [backupLock(site)],
    steps: [
      ...(isThere ? [step(on.steps.removeCopies, { username, domain, names: [name] })] : []),
      ...(isHere ? [step(on.steps.remove, { username, domain, name })] : []),
    ],
    reply: success,
  })
}
