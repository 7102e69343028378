import type { Caller } from '../../core/caller.ts'
import { type RowWrite, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { type Lock, lock } from '../../core/lock.ts'
import type { Page } from '../../core/reply.ts'
import type { NginxSite } from '../../tools/nginx/index.ts'
import type { Websites } from './context.ts'
import type { Website } from './model.ts'
import { DomainTaken } from './problems.ts'
import { type WebsiteRow, websites } from './store.ts'

/** A row with its aliases. */
export type Loaded = WebsiteRow & { readonly aliases: readonly string[] }

/** The time of a change, and `overwrite`: true if a manually edited site file may be replaced. */
export type EditRequest = Pick<Deciding, 'now'> & { readonly query: { readonly overwrite: boolean } }

const hostNameLock = lock('host name', ' ')

/** Returns the locks of a change to a website with these host names. */
export const locksOf = (names: readonly string[]): readonly Lock[] => names.map((name) => hostNameLock(name))

/** Returns the website with this id if the caller may see it, otherwise fails with 404. */
export async function loadWebsite({ queries }: Websites, id: number, caller: Caller): Promise<Loaded> {
  const row = await queries.loadFor(caller, id)
  return { ...row, aliases: (await queries.aliasesOf([id])).get(id) ?? [] }
}

/** Returns a website for work that nobody asked for, such as a renewal; fails with 404. */
export async function loadAnyWebsite({ queries }: Websites, id: number): Promise<Loaded> {
  const row = await queries.load(id)
  return { ...row, aliases: (await queries.aliasesOf([id])).get(id) ?? [] }
}

/** Returns a website if the caller may see it. */
export function findWebsite(
  { queries }: Websites,
  id: number,
  caller: Caller,
): Promise<WebsiteRow | undefined> {
  return queries.seenBy(caller, id)
}

/** Returns the replies of a page of rows. */
export async function showPage({ queries }: Websites, page: Page<WebsiteRow>): Promise<Page<Website>> {
  const aliases = await queries.aliasesOf(page.items.map(({ id }) => id))
  return {
    items: page.items.map((row) => showWebsite({ ...row, aliases: aliases.get(row.id) ?? [] })),
    total: page.total,
  }
}

/** Returns the reply of a website. */
export function showWebsite(site: Loaded): Website {
  const { certificate, ...shown } = websites.show(site)
  return { ...shown, has_certificate: certificate !== null, aliases: [...site.aliases] }
}

/** Returns the nginx configuration of a website. */
export function served(site: Loaded): NginxSite {
  const { id, domain, aliases, type, root, certificate } = site
  const tls = { certificate, redirectsToHttps: site.https_redirect === 1, hasHsts: site.hsts === 1 }
  return { id, domain, aliases, type, root, isSuspended: site.is_suspended === 1, ...tls }
}

interface SiteEdit extends TlsEdit {
  readonly aliases?: readonly string[]
  readonly is_suspended?: boolean
  readonly certificate?: string | null
}

/** The fields of a website that say how it is served over https. */
export interface TlsEdit {
  readonly https_redirect?: boolean
  readonly hsts?: boolean
}

interface Edited {
  readonly next: Loaded
  readonly row: RowWrite
  readonly steps: readonly Step[]
}

/** Returns a website as it is after an edit, with the write of its row and the step that serves it. */
export function editedSite(
  { nginx }: Websites,
  site: Loaded,
  edit: SiteEdit,
  { now, query: { overwrite } }: EditRequest,
): Edited {
  const { aliases = site.aliases, ...columns } = edit
  const set = { ...columns, updated_at: now.toISOString() }
  const next: Loaded = { ...site, ...websites.changed(site, set), aliases }
  const written = { domain: site.domain, content: nginx.renderSite(served(next)) }
  return {
    next,
    row: websites.update(site, set),
    steps: [step(nginx.steps.writeSites, { sites: [written], overwrite })],
  }
}

/** Fails if another website already uses one of these names, or the panel: cookies of a name are sent to each of its ports. */
export async function refuseTaken(
  { queries, machine }: Websites,
  names: readonly string[],
  exceptId: number | undefined,
): Promise<void> {
  const fieldOf = (name: string) => (name === names[0] && exceptId === undefined ? 'domain' : 'aliases')
  const own = (await machine.names()).find((name) => names.includes(name))
  if (own !== undefined) throw DomainTaken(`${fieldOf(own)}: ${own} is the host name of the panel`)
  const other = (await queries.taken(names)).find(({ website_id }) => website_id !== exceptId)
  if (other === undefined) return
  throw DomainTaken(`${fieldOf(other.name)}: ${other.name} belongs to another website`)
}
