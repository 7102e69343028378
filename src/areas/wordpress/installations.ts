import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Owner } from '../../host/owner/index.ts'
import { wordpressVersionIn } from '../applications/index.ts'
import { existsInHome, loadWebsite, type LoadedWebsite, readHomeFile } from '../websites/index.ts'
import type { WordPresses } from './context.ts'
import type { Installation } from './model.ts'
import { NotWordPress } from './problems.ts'
import type { Place } from './run-script.ts'

/** A website with WordPress in its document root. */
export interface Installed {
  readonly site: LoadedWebsite
  /** Version in its files; null if they tell none. */
  readonly version: string | null
  readonly place: Place
}

const lanes = 8

/** Returns a page of the WordPress that the caller may see, by domain. */
export async function listInstallations(
  on: WordPresses,
  { page, per_page, search = '', sort }: ListQuery,
  { user }: Caller,
): Promise<Page<Installation>> {
  const sites = (await on.websites.queries.all()).filter(
    (site) => site.type === 'php' && (user.isAdmin || site.user_id === user.id),
  )
  const atOnce = new Semaphore(lanes)
  const found = await Promise.all(
    sites
      .filter(({ domain }) => domain.includes(search.toLowerCase()))
      .map((site) => atOnce.run(() => findIn(on, site))),
  )
  const items = await Promise.all(found.filter((each) => each !== undefined).map((each) => show(on, each)))
  if (sort.startsWith('-')) items.reverse()
  return { items: items.slice((page - 1) * per_page, page * per_page), total: items.length }
}

/** One whose owner cannot be asked now is left out. */
async function findIn(on: WordPresses, site: LoadedWebsite): Promise<Installed | undefined> {
  try {
    return await installedIn(on, site)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Returns the WordPress of a website that the caller may see, or fails with 404. */
export async function loadInstalled(on: WordPresses, id: number, caller: Caller): Promise<Installed> {
  const site = await loadWebsite(on.websites, id, caller)
  const found = await installedIn(on, site)
  if (found === undefined) throw NotWordPress(`${site.domain} has no WordPress in its document root`)
  return found
}

async function installedIn(on: WordPresses, site: LoadedWebsite): Promise<Installed | undefined> {
  const { type, username, domain, settings, certificate } = site
  if (type !== 'php' || settings.php_version === null) return undefined
  const found = await filesOf(await on.ownerOf(username), domain)
  if (found === undefined) return undefined
  const place = { username, domain, version: settings.php_version, isTls: certificate !== null }
  return { site, version: found.version, place }
}

/** The configuration is in the document root: elsewhere, it could be that of another website. */
async function filesOf(owner: Owner, domain: string) {
  const root = `sites/${domain}/public`
  const told = await readHomeFile(owner, `${root}/wp-includes/version.php`)
  if (told === undefined || !(await existsInHome(owner, `${root}/wp-config.php`))) return undefined
  return { version: wordpressVersionIn(told.text) }
}

/** Returns the reply of a WordPress. */
export async function show(on: WordPresses, { site, version }: Installed): Promise<Installation> {
  const { id, domain, username, certificate, is_suspended } = site
  const application = await on.applications.queries.ofWebsite(id)
  return {
    website_id: id,
    domain,
    username,
    version,
    url: `${certificate === null ? 'http' : 'https'}://${domain}/`,
    is_suspended: is_suspended === 1,
    is_installed_by_panel: application?.application === 'wordpress',
  }
}
