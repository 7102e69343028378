import { type Change, change, type Step, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { WebServer } from '../../tools/web-server.ts'
import { passwordSteps } from './basic-auth.ts'
import type { Websites } from './context.ts'
import { deletedParts, suspendedParts } from './parts.ts'
import { cacheSteps } from './page-cache.ts'
import { poolSteps } from './php-site.ts'
import { AlreadySo } from './problems.ts'
import { editedSite, type EditRequest, type Loaded, locksOf, removing } from './site.ts'
import { websiteAliases, websites, websiteSettings } from './store.ts'
import { authoritySteps } from './upstream-tls.ts'

/** Suspends a website or serves it again. */
export async function setSuspended(
  on: Websites,
  site: Loaded,
  isSuspended: boolean,
  request: EditRequest,
): Promise<Change<{ success: true }>> {
  if ((site.is_suspended === 1) === isSuspended)
    throw AlreadySo(`${site.domain} ${isSuspended ? 'is suspended already' : 'is not suspended'}`)
  const { row, steps } = await editedSite(on, site, { is_suspended: isSuspended }, request)
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
  const server = await on.serving()
  const parts = await deletedParts(on, site, removing)
  return change({
    summary: `Delete website ${domain}${removing.files === 'remove' ? ' and its files' : '; its files stay'}`,
    locks: [...locksOf([domain, ...site.aliases]), ...parts.locks],
    steps: [...parts.steps, ...deleteSteps(on, site, removing, { server, pool: pool.last })],
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
  readonly databases: 'keep' | 'remove'
  readonly overwrite: boolean
}

function deleteSteps(
  { nginx, folders }: Websites,
  site: Loaded,
  { files, overwrite }: Removing,
  { server, pool }: { readonly server: WebServer; readonly pool: readonly Step[] },
): readonly Step[] {
  const { id, username, domain, certificate, protectedFolders } = site
  return [
    step(server.steps.writeSites, { sites: [{ domain, content: null }], overwrite }),
    ...pool,
    step(nginx.steps.archiveLogs, { domain, archive: String(id) }),
    step(folders.unlinkLogs, { username, domain, logs: nginx.logDirectory(domain) }),
    ...removing(nginx, certificate),
    ...passwordSteps({ nginx }, id, protectedFolders, []).last,
    ...authoritySteps({ nginx }, site, undefined).last,
    ...cacheSteps({ nginx }, site, undefined).last,
    ...(files === 'remove' ? [step(folders.remove, { username, domain })] : []),
  ]
}
