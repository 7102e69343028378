import type { Visit } from '../../tools/site-client.ts'
import type { WebServer } from '../../tools/web-server.ts'
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
      return found.flat()
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
