import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { entries, entryOf } from './catalog/catalog.ts'
import type { AppEntry } from './catalog/entry.ts'
import type { Applications } from './context.ts'
import type { Application, Catalog } from './model.ts'
import { addressesOf } from './show.ts'
import { isWhole, versionIn } from './source.ts'
import { versionAt } from './steps/place.ts'
import type { ApplicationRow } from './store.ts'

/** Returns the applications that can be installed, each with the reason why not. */
export async function readCatalog(on: Applications): Promise<Catalog> {
  const [versions, { present: hasMariadb }] = await Promise.all([on.php.versions(), on.mariadb.detect()])
  const shown = await Promise.all(
    entries.map(async (entry) => {
      const reason =
        entry.type === 'php' && versions.length === 0
          ? 'No version of PHP is installed: install one under Settings › PHP'
          : entry.database !== undefined && !hasMariadb
            ? 'MariaDB is not installed: install it under SQL server'
            : null
      return { ...(await describe(on, entry)), available: reason === null, reason }
    }),
  )
  return { applications: shown }
}

async function describe(on: Applications, entry: AppEntry) {
  const fromPackage = await versionOfPackage(on, entry)
  const isIncluded = entry.package === undefined && entry.archive === undefined
  return {
    application: entry.id,
    name: entry.name,
    icon: entry.icon,
    description: entry.description,
    note: entry.note ?? null,
    type: entry.type,
    needs_database: entry.database !== undefined,
    has_administrator: entry.set_up !== undefined,
    source: isIncluded
      ? ('included' as const)
      : fromPackage === null
        ? ('download' as const)
        : ('package' as const),
    version: isIncluded ? versionIncluded(entry) : fromPackage,
  }
}

const versionIncluded = (entry: AppEntry): string | null =>
  versionIn(entry, entry.writes.find(({ path }) => path === `public/${entry.version.file}`)?.content ?? '')

/** Returns the version in the package of this host; null if that is not installed. */
async function versionOfPackage({ host }: Applications, entry: AppEntry): Promise<string | null> {
  if (entry.package === undefined || !(await isWhole(host, entry.package))) return null
  const { parent, folder } = entry.package
  return versionIn(entry, (await host.files.read(`${parent}/${folder}/${entry.version.file}`)) ?? '')
}

/** Returns a page of the applications that the caller may see, with the versions in their files. */
export async function listApplications(
  on: Applications,
  query: ListQuery,
  caller: Caller,
): Promise<Page<Application>> {
  const { items, total } = await on.queries.page(query, caller)
  const sites = await on.queries.websitesOf(items.map(({ website_id }) => website_id))
  const inPackages = new Map(
    await Promise.all(entries.map(async (entry) => [entry.id, await versionOfPackage(on, entry)] as const)),
  )
  const shown = await Promise.all(
    items.map(async (row): Promise<Application | undefined> => {
      const site = sites.get(row.website_id)
      if (site === undefined) return undefined // it was deleted meanwhile
      const entry = entryOf(row.application)
      const version = await versionNow(on, entry, row, site)
      const offered = inPackages.get(row.application) ?? null
      return {
        website_id: row.website_id,
        application: row.application,
        name: entry.name,
        domain: site.domain,
        username: site.username,
        version,
        available_version: isNewer(offered, version) ? offered : null,
        ...addressesOf(entry, site.domain, site.certificate !== null),
        administrator: row.administrator,
        created_at: row.created_at,
      }
    }),
  )
  return { items: shown.filter((each) => each !== undefined), total }
}

/** An application may have updated itself; one whose files cannot be read has the version that was installed. */
async function versionNow(
  on: Applications,
  entry: AppEntry,
  { version }: ApplicationRow,
  { domain, username }: { readonly domain: string; readonly username: string },
): Promise<string | null> {
  try {
    return (await versionAt(await on.ownerOf(username), { domain, version: entry.version })) ?? version
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return version
  }
}

/** Compares versions of numbers such as 6.1.9. */
export function isNewer(offered: string | null, version: string | null): boolean {
  if (offered === null || version === null) return false
  return offered.localeCompare(version, 'en', { numeric: true }) > 0
}
