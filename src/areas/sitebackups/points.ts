import type { ListQuery, Page } from '../../core/reply.ts'
import { change } from '../../core/change.ts'
import { step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { backupLock } from './locks.ts'
import { type Manifest, sizeOf } from './manifest.ts'
import type { Backup } from './model.ts'
import { BackupUnknown, StillNeeded } from './problems.ts'

/** Returns the backups of a website that were made for its owner; those of a former owner of its name are another tenant's. */
export async function pointsOf(
  { depot }: Pick<Backups, 'depot'>,
  site: Pick<LoadedWebsite, 'username' | 'domain' | 'user_id'>,
): Promise<readonly Manifest[]> {
  return (await depot.points(site)).filter(({ user_id }) => user_id === site.user_id)
}

/** Returns the backups of a website, a page of them. */
export async function listBackups(
  on: Backups,
  site: LoadedWebsite,
  { page, per_page, sort, search = '' }: ListQuery,
): Promise<Page<Backup>> {
  const found = (await pointsOf(on, site)).filter(({ name }) => name.includes(search))
  const ordered = sort.startsWith('-') ? found.toReversed() : found
  const items = ordered.slice((page - 1) * per_page, page * per_page)
  return { items: items.map((point) => showBackup(point)), total: found.length }
}

/** Returns the reply of a backup. */
export const showBackup = (point: Manifest, source: Backup['source'] = 'local'): Backup => ({
  name: point.name,
  set: point.set,
  time_mark: point.time_mark,
  size_bytes: sizeOf(point),
  encrypted: point.encrypted,
  source,
  complete: point.complete,
  is_full: point.parent === null,
  has_files: point.files !== null,
  databases: point.databases,
  file_count: point.files?.entries ?? 0,
  omitted: point.omitted,
  omitted_count: point.omitted_count,
})

/** Returns the backup of a website with this name, or fails with 404. */
export async function findPoint(on: Backups, site: LoadedWebsite, name: string): Promise<Manifest> {
  const found = (await pointsOf(on, site)).find((point) => point.name === name)
  if (found === undefined) throw BackupUnknown(`name: ${site.domain} has no backup ${name}`)
  return found
}

/** Deletes a backup; one that others continue is refused, as they would not restore without it. */
export async function deleteBackup(on: Backups, site: LoadedWebsite, name: string) {
  await findPoint(on, site, name)
  const later = (await pointsOf(on, site)).find(({ parent }) => parent === name)
  if (later !== undefined)
    throw StillNeeded(
      `name: ${later.name} continues ${name} and does not restore without it: delete that first`,
    )
  const { username, domain } = site
  return change({
    summary: `Delete the backup ${name} of ${domain}`,
    locks: [backupLock(site)],
    steps: [step(on.steps.remove, { username, domain, name })],
    reply: success,
  })
}
