import type { Caller } from '../../core/caller.ts'
import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Forbidden, Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Account } from '../../host/accounts.ts'
import { accountOf, findUserByUsername, type Users } from '../users/index.ts'
import { passwordSteps } from './basic-auth.ts'
import { aliasRows } from './aliases.ts'
import type { Websites } from './context.ts'
import { withinLicence } from './licensed.ts'
import type { Website, WebsiteDraft } from './model.ts'
import { assertMayCreate } from './creation-lock.ts'
import { deletedParts, suspendedParts } from './parts.ts'
import { poolSteps, versionLocks } from './php-site.ts'
import { settingsRow } from './edit.ts'
import { newSettings } from './settings.ts'
import { placeholderPage } from './placeholder-page.ts'
import { AlreadySo, DomainTaken, OwnerUnknown } from './problems.ts'
import {
  editedSite,
  type EditRequest,
  type Loaded,
  locksOf,
  refuseTaken,
  served,
  showWebsite,
} from './site.ts'
import { websiteAliases, websites, websiteSettings } from './store.ts'

/** Creates a website and serves it. */
export async function createWebsite(
  on: Websites,
  draft: WebsiteDraft,
  request: Deciding & EditRequest,
): Promise<Change<Website>> {
  await assertMayCreate(on, request.caller)
  const aliases = draft.aliases ?? []
  const owner = await ownerOf(on.users, draft.username, request.caller)
  await refuseTaken(on, [draft.domain, ...aliases], undefined)
  if (aliases.includes(draft.domain)) throw DomainTaken(`aliases: ${draft.domain} is the domain itself`)
  const counted = await withinLicence(on, request.now)
  const hasLogs = await on.nginx.hasLogs(draft.domain)
  const row = newRow(draft, owner, request)
  const settings = await newSettings(on, draft, request.caller)
  const site = { ...row, aliases, settings, protectedFolders: [] }
  const pool = await poolSteps(on, undefined, site)
  return change({
    summary: `Create website ${site.domain} for ${site.username}`,
    locks: [...locksOf([site.domain, ...aliases]), ...versionLocks(undefined, site), ...counted],
    steps: createSteps(on, site, owner.account, {
      ...request.query,
      hasLogs,
      pool: pool.first,
    }),
    rows: [websites.insert(row), ...aliasRows(site.id, aliases), settingsRow(site)],
    reply: showWebsite(site),
  })
}

/** Suspends a website or serves it again. */
export async function setSuspended(
  on: Websites,
  site: Loaded,
  isSuspended: boolean,
  request: EditRequest,
): Promise<Change<{ success: true }>> {
  if ((site.is_suspended === 1) === isSuspended)
    throw AlreadySo(`${site.domain} ${isSuspended ? 'is suspended already' : 'is not suspended'}`)
  const { row, steps } = editedSite(on, site, { is_suspended: isSuspended }, request)
  return change({
    summary: `${isSuspended ? 'Suspend' : 'Unsuspend'} ${site.domain}`,
    locks: locksOf([site.domain]),
    steps: [...steps, ...(await suspendedParts(on, site, isSuspended))],
    rows: [row],
    reply: success,
  })
}

/** Deletes a website; its files are kept or removed. */
export async function deleteWebsite(
  on: Websites,
  site: Loaded,
  removing: Removing,
): Promise<Change<{ success: true }>> {
  const { domain } = site
  const pool = await poolSteps(on, site, undefined)
  const parts = await deletedParts(on, site)
  return change({
    summary: `Delete website ${domain}${removing.files === 'remove' ? ' and its files' : '; its files stay'}`,
    locks: locksOf([domain, ...site.aliases]),
    steps: [...parts.steps, ...deleteSteps(on, site, removing, pool.last)],
    details: parts.details,
    rows: [
      ...parts.rows,
      websiteAliases.delete({ website_id: site.id }),
      websiteSettings.delete({ website_id: site.id }),
      websites.delete({ id: site.id }),
    ],
    reply: success,
  })
}

interface Removing {
  readonly files: 'keep' | 'remove'
  readonly overwrite: boolean
}

function createSteps(
  on: Websites,
  site: Loaded,
  { gid }: Account,
  {
    overwrite,
    hasLogs,
    pool,
  }: EditRequest['query'] & {
    readonly hasLogs: boolean
    readonly pool: readonly Step[]
  },
): readonly Step[] {
  const { nginx, folders } = on
  const { username, domain } = site
  const archiveFormer = step(nginx.steps.archiveLogs, { domain, archive: `before-${site.id}` })
  return [
    step(folders.make, { username, domain, logs: nginx.logDirectory(domain) }),
    step(folders.writePlaceholder, { username, domain, content: placeholderPage(domain) }),
    ...(hasLogs ? [archiveFormer] : []), // logs of a former site with this name
    step(nginx.steps.makeLogDirectories, { sites: [{ domain, gid }] }),
    ...pool,
    step(nginx.steps.writeSites, {
      sites: [{ domain, content: nginx.renderSite(served(on, site)) }],
      overwrite,
    }),
  ]
}

function deleteSteps(
  { nginx, folders }: Websites,
  { id, username, domain, certificate, protectedFolders }: Loaded,
  { files, overwrite }: Removing,
  pool: readonly Step[],
): readonly Step[] {
  return [
    step(nginx.steps.writeSites, { sites: [{ domain, content: null }], overwrite }),
    ...pool,
    step(nginx.steps.archiveLogs, { domain, archive: String(id) }),
    step(folders.unlinkLogs, { username, domain, logs: nginx.logDirectory(domain) }),
    ...removing(nginx, certificate),
    ...passwordSteps({ nginx }, id, protectedFolders, []).last,
    ...(files === 'remove' ? [step(folders.remove, { username, domain })] : []),
  ]
}

/** Removes a certificate that is no longer served. */
export const removing = ({ steps }: Websites['nginx'], file: string | null): readonly Step[] =>
  file === null ? [] : [step(steps.writeCertificate, { file, content: null })]

interface SiteOwner {
  readonly account: Account
  readonly userId: number
}

function newRow({ domain, type }: WebsiteDraft, { account, userId }: SiteOwner, { id, now }: Deciding) {
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
async function ownerOf(users: Users, username: string | undefined, caller: Caller): Promise<SiteOwner> {
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
