import type { Caller } from '../../core/caller.ts'
import type { Change } from '../../core/change.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import { deleteWebsite, type LoadedWebsite } from '../websites/index.ts'
import type { Staging } from './context.ts'
import type { StagingCopy } from './model.ts'
import { NotACopy } from './problems.ts'
import type { StagingRow } from './store.ts'

/** Returns a page of the staging copies that the caller may see. */
export async function listCopies(on: Staging, query: ListQuery, caller: Caller): Promise<Page<StagingCopy>> {
  const { items, total } = await on.queries.page(query, caller)
  return { items: await shown(on, items, caller), total }
}

/** Returns the copies of a website, and the one that it is itself. */
export async function readStaging(on: Staging, { id }: LoadedWebsite, caller: Caller) {
  const own = await on.queries.find(id)
  const [copy = null] = own === undefined ? [] : await shown(on, [own], caller)
  return { copy, copies: await shown(on, await on.queries.ofOrigin(id), caller) }
}

/** Shows copies; what belongs to somebody else by now is left out. */
async function shown(
  { queries }: Staging,
  rows: readonly StagingRow[],
  { user }: Caller,
): Promise<StagingCopy[]> {
  const ids = rows.flatMap(({ website_id, origin_id }) => [
    website_id,
    ...(origin_id === null ? [] : [origin_id]),
  ])
  const all = ids.length === 0 ? [] : await queries.websitesOf(ids)
  const sites = new Map(
    all.filter((site) => user.isAdmin || site.user_id === user.id).map((site) => [site.id, site]),
  )
  return rows.flatMap(({ website_id, origin_id, created_at, pushed_at }) => {
    const site = sites.get(website_id)
    if (site === undefined) return [] // it was deleted meanwhile
    const scheme = site.certificate === null ? 'http' : 'https'
    const origin = origin_id === null ? undefined : sites.get(origin_id)
    return [
      {
        ...{ website_id, domain: site.domain, username: site.username },
        ...{ origin_id: origin?.id ?? null, origin_domain: origin?.domain ?? null },
        ...{ url: `${scheme}://${site.domain}/`, created_at, pushed_at },
      },
    ]
  })
}

/** Deletes a staging copy with its files and database. */
export async function deleteCopy(
  on: Staging,
  site: LoadedWebsite,
  { overwrite }: { readonly overwrite: boolean },
): Promise<Change<{ success: true }>> {
  if ((await on.queries.find(site.id)) === undefined) throw NotACopy(`id: ${site.domain} is no staging copy`)
  const change = await deleteWebsite(on.websites, site, { files: 'remove', databases: 'remove', overwrite })
  return { ...change, summary: `Delete the staging copy ${site.domain} with its files and database` }
}
