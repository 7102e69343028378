import type { Visit } from '../../tools/site-client.ts'
import type { WebServer } from '../../tools/web-server.ts'
import { findUsers } from '../users/index.ts'
import type { Obstacle, ServedSites } from '../webserver/index.ts'
import type { Websites } from './context.ts'
import { type Loaded, locksOf, served, siteFile } from './site.ts'

/** Returns what a switch of the web server renders again: every website. */
export async function sitesToServe(on: Websites): Promise<ServedSites> {
  const sites = await on.queries.all()
  return {
    locks: locksOf(sites.flatMap(({ domain, aliases }) => [domain, ...aliases])),
    visits: sites.flatMap(visitsOf),
    obstacles: async (from, to) => {
      const found = await Promise.all(sites.map((site) => obstaclesOf(on, site, { from, to })))
      return [...found.flat(), ...(await rulesWithoutWebsite(on, sites, to))]
    },
    files: (server) => sites.map((site) => siteFile(on, server, site)),
  }
}

/** A wildcard is no name that can be asked for. */
function visitsOf({ domain, aliases, certificate, type }: Loaded): readonly Visit[] {
  const names = [domain, ...aliases.filter((name) => !name.startsWith('*.'))]
  const schemes = certificate === null ? [false] : [false, true]
  return names.flatMap((name) => schemes.map((isTls) => ({ name, isTls, isProxy: type === 'proxy' })))
}

interface Servers {
  readonly from: WebServer
  readonly to: WebServer
}

async function obstaclesOf(on: Websites, site: Loaded, { from, to }: Servers): Promise<readonly Obstacle[]> {
  const { domain } = site
  const model = served(on, site)
  const reasons = [...to.lacks(model)]
  const isServable = from.lacks(model).length === 0
  if (isServable && (await from.stateOf(domain, from.renderSite(model))) === 'edited by hand')
    reasons.push('its file was edited by hand')
  return reasons.map((reason) => ({ domain, reason }))
}

/** Access rules outlive the last website of their owner, who could have no other one under a server that lacks them. */
async function rulesWithoutWebsite(
  { queries, users }: Websites,
  sites: readonly Loaded[],
  to: WebServer,
): Promise<readonly Obstacle[]> {
  const owners = new Set(sites.map(({ user_id }) => user_id))
  const left = (await queries.access()).flatMap(({ user_id }) => (owners.has(user_id) ? [] : [user_id]))
  if (left.length === 0) return []
  const found = await findUsers(users, left)
  return found.flatMap(({ id, username, email }) =>
    to.lacks({ accessOwner: id }).map((reason) => ({
      domain: username ?? email,
      reason: `${reason}, and those of deleted websites are left: create a website for this user, and remove them`,
    })),
  )
}
