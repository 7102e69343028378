import type { Step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import type { RowOf } from '../../store/table.ts'
import { passwordSteps } from './basic-auth.ts'
import type { Websites } from './context.ts'
import { poolSteps, versionLocks } from './php-site.ts'
import { loadAnyWebsite, locksOf } from './site.ts'
import { settingsIn, type websiteSettings } from './store.ts'
import { authoritySteps } from './upstream-tls.ts'

interface Restoring {
  /** Before nginx loads the former file of the website. */
  readonly first: readonly Step[]
  /** After that. */
  readonly last: readonly Step[]
  readonly locks: readonly Lock[]
}

/** Plans to give a website the pool, the passwords and the authorities of former settings; those of a new website for no row. */
export async function restoreSupport(
  on: Websites,
  websiteId: number,
  row: RowOf<typeof websiteSettings> | undefined,
): Promise<Restoring> {
  const site = await loadAnyWebsite(on, websiteId)
  const next = { ...site, ...settingsIn(row) }
  const pool = await poolSteps(on, site, next)
  const passwords = passwordSteps(on, websiteId, site.protectedFolders, next.protectedFolders)
  const authorities = authoritySteps(on, site, next)
  return {
    first: [...pool.first, ...passwords.first, ...authorities.first],
    last: [...authorities.last, ...passwords.last, ...pool.last],
    locks: [...locksOf([site.domain]), ...versionLocks(site, next)],
  }
}
