import { step } from '../../core/change.ts'
import type { Belongings, Deletion } from '../users/index.ts'
import type { Websites } from './context.ts'
import { locksOf, removing } from './site.ts'
import { passwordSteps } from './basic-auth.ts'
import { deletedParts } from './parts.ts'
import { cacheSteps } from './page-cache.ts'
import { poolSteps } from './php-site.ts'
import { websiteAliases, websites, websiteSettings } from './store.ts'
import { authoritySteps } from './upstream-tls.ts'

/** The websites of a deleted user are no longer served; their folders stay or leave with the home. */
export async function websitesOfDeleted(
  on: Websites,
  { user, files, databases, overwrite }: Deletion,
): Promise<Belongings> {
  const { queries, nginx, folders } = on
  const sites = (await queries.all()).filter(({ user_id }) => user_id === user.id)
  if (sites.length === 0) return {}
  const server = await on.serving()
  const pools = await Promise.all(sites.map((site) => poolSteps(on, site, undefined)))
  const fate = { databases: databases === 'keep' ? 'keep' : 'remove' } as const
  const parts = await Promise.all(sites.map((site) => deletedParts(on, site, fate)))
  const unlinked = files === 'keep' ? sites : []
  return {
    details: [
      ...sites.map(({ domain }) => `The website ${domain} is deleted; its logs are kept for a while`),
      ...parts.flatMap(({ details }) => details),
    ],
    locks: [
      ...locksOf(sites.flatMap(({ domain, aliases }) => [domain, ...aliases])),
      ...parts.flatMap(({ locks }) => locks),
    ],
    steps: [
      ...parts.flatMap(({ steps }) => steps),
      step(server.steps.writeSites, {
        sites: sites.map(({ domain }) => ({ domain, content: null })),
        overwrite,
      }),
      ...pools.flatMap(({ last }) => last),
      ...sites.map(({ id, domain }) => step(nginx.steps.archiveLogs, { domain, archive: String(id) })),
      ...sites.flatMap(({ certificate }) => removing(nginx, certificate)),
      ...sites.flatMap(({ id, protectedFolders }) => passwordSteps(on, id, protectedFolders, []).last),
      ...sites.flatMap((site) => authoritySteps(on, site, undefined).last),
      ...sites.flatMap((site) => cacheSteps(on, site, undefined).last),
      ...unlinked.map(({ username, domain }) =>
        step(folders.unlinkLogs, { username, domain, logs: nginx.logDirectory(domain) }),
      ),
    ],
    rows: [
      ...parts.flatMap(({ rows }) => rows),
      ...sites.flatMap(({ id }) => [
        websiteAliases.delete({ website_id: id }),
        websiteSettings.delete({ website_id: id }),
        websites.delete({ id }),
      ]),
    ],
  }
}

/** Lists the websites of a user. */
export async function webappsOf({ queries }: Websites, userId: number) {
  const sites = (await queries.all()).filter(({ user_id }) => user_id === userId)
  return sites.map(({ id, domain, type, root, is_suspended }) => ({
    id,
    domain,
    type,
    root,
    is_suspended: is_suspended === 1,
  }))
}
