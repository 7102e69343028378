import type { Caller } from '../../core/caller.ts'
import { type RowWrite, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { type ProblemKind, Unavailable } from '../../core/problem.ts'
import { type Lock, lock } from '../../core/lock.ts'
import type { Page } from '../../core/reply.ts'
import type { NginxSite, SiteOptions } from '../../tools/nginx/index.ts'
import type { WebServer } from '../../tools/web-server.ts'
import type { Websites } from './context.ts'
import type { Website } from './model.ts'
import { serves } from './names-below.ts'
import { DomainTaken } from './problems.ts'
import { servedCache } from './served-cache.ts'
import type { SiteSettings } from './settings-model.ts'
import { shownFolders } from './basic-auth.ts'
import {
  type ProtectedFolder,
  type StoredWebsite,
  type WebsiteRow,
  websites,
  websiteSettings,
} from './store.ts'
import { parseUpstream } from './upstream.ts'
import { upstreamTls } from './upstream-tls.ts'

/** A row with its aliases and settings. */
export type Loaded = StoredWebsite

/** The time of a change, and `overwrite`: true if a manually edited site file may be replaced. */
export type EditRequest = Pick<Deciding, 'now'> & { readonly query: { readonly overwrite: boolean } }

const hostNameLock = lock('host name', ' ')

/** Returns the locks of a change to a website with these host names. */
export const locksOf = (names: readonly string[]): readonly Lock[] => names.map((name) => hostNameLock(name))

/** Returns the website with this id if the caller may see it, otherwise fails with 404. */
export async function loadWebsite({ queries }: Websites, id: number, caller: Caller): Promise<Loaded> {
  const [site] = await queries.complete([await queries.loadFor(caller, id)])
  return site!
}

/** Returns a website for work that nobody asked for, such as a renewal; fails with 404. */
export async function loadAnyWebsite({ queries }: Websites, id: number): Promise<Loaded> {
  const [site] = await queries.complete([await queries.load(id)])
  return site!
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
  const { items, total } = page
  return { items: (await queries.complete(items)).map(showWebsite), total }
}

/** Returns the reply of a website. */
export function showWebsite(site: Loaded): Website {
  const {
    upstream_address: _,
    page_cache: _cache,
    refused_scripts: _refused,
    sign_in_script: _script,
    ...settings
  } = site.settings
  const { certificate, ...shown } = websites.show(site)
  return {
    ...shown,
    has_certificate: certificate !== null,
    aliases: [...site.aliases],
    ...settings,
    basic_auth: shownFolders(site.protectedFolders),
  }
}

/** Renders the file of a website for a web server; fails with what it has that the server lacks. */
export function siteFile(
  on: Pick<Websites, 'php' | 'nginx'>,
  server: WebServer,
  site: Loaded,
  refusal: ProblemKind = Unavailable,
): { readonly domain: string; readonly content: string } {
  const model = served(on, site)
  const [lacking] = server.lacks(model)
  if (lacking !== undefined)
    throw refusal(`${site.domain}: ${lacking}, and ${server.name} serves the websites`)
  return { domain: site.domain, content: server.renderSite(model) }
}

/** Returns the configuration of a website, without the syntax of a web server. */
export function served({ php, nginx }: Pick<Websites, 'php' | 'nginx'>, site: Loaded): NginxSite {
  const { id, username, domain, aliases, type, root, certificate, settings } = site
  const { php_version: version, limits, upstream, proxy_settings } = settings
  const cache = servedCache(site)
  return {
    id,
    domain,
    aliases,
    type,
    root,
    certificate,
    redirectsToHttps: site.https_redirect === 1,
    hasHsts: site.hsts === 1,
    isSuspended: site.is_suspended === 1,
    ...(site.hasAccessRules && { accessOwner: site.user_id }),
    options: optionsOf({ nginx }, site),
    ...(type === 'php' &&
      version !== null && {
        php: {
          socket: php.socketOf({ id, username, version }),
          dataFolders: settings.upload_folders,
          bodyMb: limits.upload_mb,
          seconds: limits.execution_seconds,
          ...(cache && { cache }),
        },
      }),
    ...(type === 'proxy' &&
      upstream !== null && {
        proxy: {
          upstream: targetOf(upstream, settings.upstream_address),
          bodyMb: proxy_settings.body_mb,
          seconds: proxy_settings.timeout_seconds,
          upgradeSeconds: proxy_settings.upgrade_seconds,
          tls: upstreamTls(nginx, site),
        },
      }),
  }
}

function optionsOf(
  { nginx }: Pick<Websites, 'nginx'>,
  { id, settings, protectedFolders }: Loaded,
): SiteOptions {
  return {
    isInMaintenance: settings.maintenance,
    redirects: settings.redirects.map(({ code = 301, prefix = false, ...redirect }) => ({
      ...{ ...redirect, code },
      ...(prefix && { isPrefix: true }),
    })),
    errorPages: settings.error_pages,
    directives: settings.directives,
    protectedFolders: protectedFolders.map(({ folder }) => ({
      folder,
      file: nginx.passwordsPath(id, folder),
    })),
    ...(settings.refused_scripts && { refusedScripts: settings.refused_scripts }),
    ...(settings.sign_in_script !== undefined && { signInScript: settings.sign_in_script }),
  }
}

function targetOf(upstream: string, address: string | null) {
  const target = parseUpstream(upstream)
  if ('socket' in target) return target
  if (address === null) throw new Error(`the upstream ${upstream} has no address`)
  return { address, port: target.port }
}

interface SiteEdit {
  readonly aliases?: readonly string[]
  readonly settings?: SiteSettings
  readonly protectedFolders?: readonly ProtectedFolder[]
  readonly is_suspended?: boolean
  readonly certificate?: string | null
  readonly https_redirect?: boolean
  readonly hsts?: boolean
}

/** The failure of an edit that the web server in use cannot serve; by default, the host is not able to. */
export interface Refusing {
  readonly refusal?: ProblemKind
}

interface Edited {
  readonly next: Loaded
  readonly row: RowWrite
  readonly steps: readonly Step[]
}

/** Returns a website as it is after an edit, with the write of its row and the step that serves it. */
export async function editedSite(
  on: Websites,
  site: Loaded,
  edit: SiteEdit,
  { now, query: { overwrite }, refusal }: EditRequest & Refusing,
): Promise<Edited> {
  const {
    aliases = site.aliases,
    settings = site.settings,
    protectedFolders = site.protectedFolders,
    ...columns
  } = edit
  const set = { ...columns, updated_at: now.toISOString() }
  const next: Loaded = { ...site, ...websites.changed(site, set), aliases, settings, protectedFolders }
  const server = await on.serving()
  const written = siteFile(on, server, next, refusal)
  return {
    next,
    row: websites.update(site, set),
    steps: [step(server.steps.writeSites, { sites: [written], overwrite })],
  }
}

/** Fails if another website already uses one of these names, or the panel: cookies of a name are sent to each of its ports. */
export async function refuseTaken(
  { queries, machine }: Websites,
  names: readonly string[],
  exceptId: number | undefined,
): Promise<void> {
  const fieldOf = (name: string) => (name === names[0] && exceptId === undefined ? 'domain' : 'aliases')
  for (const own of await machine.names()) {
    const found = names.find((name) => serves(name, own))
    if (found === own) throw DomainTaken(`${fieldOf(own)}: ${own} is the host name of the panel`)
    if (found !== undefined)
      throw DomainTaken(`${fieldOf(found)}: ${found} would serve ${own}, the host name of the panel`)
  }
  const other = (await queries.taken(names)).find(({ website_id }) => website_id !== exceptId)
  if (other === undefined) return
  throw DomainTaken(`${fieldOf(other.name)}: ${other.name} belongs to another website`)
}

/** Returns the row of a website's settings. */
export const settingsRow = ({ id, settings, protectedFolders }: Loaded): RowWrite =>
  websiteSettings.insert(
    websiteSettings.row({ website_id: id, settings, passwords: JSON.stringify(protectedFolders) }),
  )

/** Removes a certificate that is no longer served. */
export const removing = ({ steps }: Websites['nginx'], file: string | null): readonly Step[] =>
  file === null ? [] : [step(steps.writeCertificate, { file, content: null })]
