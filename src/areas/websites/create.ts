import type { Caller } from '../../core/caller.ts'
import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Forbidden, Unavailable } from '../../core/problem.ts'
import type { Account } from '../../host/accounts.ts'
import { accountOf, findUserByUsername, loadAccount, type Users } from '../users/index.ts'
import { webServerLock } from '../webserver/index.ts'
import { accessLockOf } from './access.ts'
import { aliasRows } from './aliases.ts'
import { passwordSteps } from './basic-auth.ts'
import type { Websites } from './context.ts'
import { assertMayCreate } from './creation-lock.ts'
import { withinLicence } from './licensed.ts'
import type { Website, WebsiteDraft } from './model.ts'
import { withinLimits } from './owner-limits.ts'
import { cacheSteps } from './page-cache.ts'
import { poolSteps, versionLocks } from './php-site.ts'
import { placeholderPage } from './placeholder-page.ts'
import { refuseBelowAnother } from './names-below.ts'
import { DomainTaken, OwnerUnknown, SettingInvalid } from './problems.ts'
import { newSettings } from './settings.ts'
import {
  type EditRequest,
  type Loaded,
  locksOf,
  refuseTaken,
  type Refusing,
  settingsRow,
  showWebsite,
  siteFile,
} from './site.ts'
import { type WebsiteRow, websites } from './store.ts'
import { authoritySteps } from './upstream-tls.ts'
import { zoneWork } from './zones.ts'

/** Creates a website and serves it, with a DNS zone if one was asked for. */
export async function createWebsite(
  on: Websites,
  draft: WebsiteDraft,
  request: Deciding & EditRequest,
): Promise<Change<Website>> {
  const row = newRow(draft, await ownerFor(on, draft, request), request)
  const settings = await newSettings(on, draft, request.caller)
  const site = { ...row, aliases: draft.aliases ?? [], settings, protectedFolders: [], hasAccessRules: false }
  const { locks, steps, rows } = await emptySite(on, site, request)
  // at the end: the name leads here once the website is served
  const zone = await zoneWork(on, draft, request.caller)
  return change({
    summary: `Create website ${site.domain} for ${site.username}`,
    locks: [...locks, ...(zone.locks ?? [])],
    steps: [...steps, ...(zone.steps ?? [])],
    rows: [...rows, ...(zone.rows ?? [])],
    ...(zone.details && { details: zone.details }),
    reply: showWebsite(site),
  })
}

/** Returns how a new website is served, with a placeholder page in its folder. */
export function emptySite(
  on: Websites,
  site: Omit<Loaded, 'hasAccessRules'>,
  request: Pick<Deciding, 'now' | 'caller'> & EditRequest,
): ReturnType<typeof createdSite> {
  const { username, domain } = site
  return createdSite(on, site, { ...request, refusal: SettingInvalid }, ({ nginx, folders }) => [
    step(folders.make, { username, domain, logs: nginx.logDirectory(domain) }),
    step(folders.writePlaceholder, { username, domain, content: placeholderPage(domain) }),
  ])
}

interface ProxyDraft extends Pick<WebsiteDraft, 'domain' | 'username'> {
  readonly upstream: string
}

/** Returns a proxy website that a change of another area creates, and what serves it once that has given it a certificate. */
export async function proxySite(on: Websites, draft: ProxyDraft, request: Deciding & EditRequest) {
  const type = 'proxy'
  const owner = await ownerFor(on, draft, request)
  const site: Loaded = {
    ...newRow({ ...draft, type }, owner, request),
    aliases: [],
    settings: await newSettings(on, { ...draft, type }, request.caller),
    protectedFolders: [],
    hasAccessRules: await on.queries.hasAccessRules(owner.userId),
  }
  const { username, domain } = site
  const make = { username, domain, logs: on.nginx.logDirectory(domain) }
  return {
    site,
    /** `first` makes what its file names. */
    served: (certified: Loaded, first: readonly Step[]) =>
      createdSite(on, certified, request, ({ folders }) => [step(folders.make, make), ...first]),
  }
}

/** Returns the owner of a website that is being created, if the caller may create it. */
export async function ownerFor(
  on: Websites,
  { username }: Pick<WebsiteDraft, 'username'>,
  { caller }: Pick<Deciding, 'caller'>,
): Promise<SiteOwner> {
  await assertMayCreate(on, caller)
  return ownerOf(on.users, username, caller)
}

/** Returns how a new website is served, with the steps that fill its folder: a clone, or an application. */
export async function createdSite(
  on: Websites,
  draft: Omit<Loaded, 'hasAccessRules'>,
  request: Pick<Deciding, 'now' | 'caller'> & EditRequest & Refusing,
  fill: (on: Websites) => readonly Step[],
): Promise<Pick<Change<unknown>, 'locks' | 'steps' | 'rows'>> {
  const site: Loaded = { ...draft, hasAccessRules: await on.queries.hasAccessRules(draft.user_id) }
  const { domain, aliases, username } = site
  const server = await on.serving()
  await refuseTaken(on, [domain, ...aliases], undefined)
  await refuseBelowAnother(on, [domain], { field: 'domain', caller: request.caller })
  await refuseBelowAnother(on, aliases, { field: 'aliases', caller: request.caller })
  if (aliases.includes(domain)) throw DomainTaken(`aliases: ${domain} is the domain itself`)
  const counted = [...(await withinLicence(on, request.now)), ...(await withinLimits(on, site.user_id))]
  const account = await loadAccount(on.users, username)
  const pool = await poolSteps(on, undefined, site)
  return {
    locks: [
      accessLockOf(site.user_id, domain),
      webServerLock(site.id),
      ...locksOf([domain, ...aliases]),
      ...versionLocks(undefined, site),
      ...counted,
    ],
    steps: [
      ...fill(on),
      ...(await logSteps(on, site, account.gid)),
      ...pool.first,
      ...passwordSteps(on, site.id, [], site.protectedFolders).first,
      ...authoritySteps(on, undefined, site).first,
      ...cacheSteps(on, undefined, site).first,
      step(server.steps.writeSites, {
        sites: [siteFile(on, server, site, request.refusal)],
        overwrite: request.query.overwrite,
      }),
    ],
    rows: [websites.insert(rowOf(site)), ...aliasRows(site.id, aliases), settingsRow(site)],
  }
}

/** The steps that give a site logs of its own: those of a former site with its name are archived. */
export async function logSteps(
  { nginx }: Websites,
  { id, domain, revision }: Loaded,
  gid: number,
): Promise<readonly Step[]> {
  const archive = revision === 1 ? `before-${id}` : `before-${id}-${revision}`
  return [
    ...((await nginx.hasLogs(domain)) ? [step(nginx.steps.archiveLogs, { domain, archive })] : []),
    step(nginx.steps.makeLogDirectories, { sites: [{ domain, gid }] }),
  ]
}

function rowOf(site: Loaded): WebsiteRow {
  const {
    aliases: _aliases,
    settings: _settings,
    protectedFolders: _folders,
    hasAccessRules: _,
    ...row
  } = site
  return row
}

export interface SiteOwner {
  readonly account: Account
  readonly userId: number
}

export function newRow(
  { domain, type }: Pick<WebsiteDraft, 'domain' | 'type'>,
  { account, userId }: SiteOwner,
  { id, now }: Deciding,
) {
  const at = now.toISOString()
  return websites.row({
    id: id(websites.name),
    domain,
    user_id: userId,
    username: account.username,
    type,
    root: `${account.home}/sites/${domain}/public`,
    is_suspended: false,
    https_redirect: false,
    hsts: false,
    created_at: at,
    updated_at: at,
  })
}

/**
 * The owner of a new website: the caller, or for a superuser any panel user who has an account (decision
 * 3.19).
 */
export async function ownerOf(
  users: Users,
  username: string | undefined,
  caller: Caller,
): Promise<SiteOwner> {
  const name = username ?? caller.user.username
  if (name === null) throw OwnerUnknown('username: is required: your account has no Linux user')
  if (!caller.user.isAdmin && name !== caller.user.username)
    throw Forbidden('username: only a superuser may create a website for another user')
  const owner = await findUserByUsername(users, name)
  if (owner === undefined) throw OwnerUnknown(`username: no hosting user named "${name}"`)
  const account = await accountOf(users, name)
  if (account === undefined)
    throw Unavailable(`username: the Linux account ${name} does not exist on this host`)
  return { account, userId: owner.id }
}
