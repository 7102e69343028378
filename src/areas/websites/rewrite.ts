import { type Step, step } from '../../core/change.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { WebServer } from '../../tools/web-server.ts'
import type { RewrittenFiles } from '../system/index.ts'
import { accountOf } from '../users/index.ts'
import { passwordSteps } from './basic-auth.ts'
import type { Websites } from './context.ts'
import { cacheSteps } from './page-cache.ts'
import { poolSteps } from './php-site.ts'
import { type Loaded, locksOf, served } from './site.ts'
import { authoritySteps } from './upstream-tls.ts'

interface Writable {
  readonly domain: string
  readonly content: string
  readonly gid: number
  /** Write what its file relies on. */
  readonly support: readonly Step[]
}

interface Compared {
  readonly writable: readonly Writable[]
  readonly left: RewrittenFiles['left']
}

/**
 * Plans to write the files of all websites that differ from the store, as after nginx was purged and
 * reinstalled.
 */
export async function rewriteSites(on: Websites, overwrite: boolean): Promise<RewrittenFiles> {
  return rewritingOf(on, await on.queries.all(), overwrite)
}

/** Plans to write the files of one user's websites that differ from the store; those edited by hand stay. */
export async function rewriteSitesOf(on: Websites, userId: number): Promise<RewrittenFiles> {
  const sites = (await on.queries.all()).filter(({ user_id }) => user_id === userId)
  return rewritingOf(on, sites, false)
}

async function rewritingOf(
  on: Websites,
  sites: readonly Loaded[],
  overwrite: boolean,
): Promise<RewrittenFiles> {
  const server = await on.serving()
  const { writable, left } = await compareFiles(on, server, sites, overwrite)
  if (writable.length > 0) await server.tool.assertAvailable()
  return {
    summary: `Write the files of ${writable.length} of ${sites.length} websites again`,
    locks: locksOf(sites.flatMap(({ domain, aliases }) => [domain, ...aliases])),
    steps: writable.length > 0 ? stepsOf({ nginx: on.nginx, server }, writable, overwrite) : [],
    written: writable.map(({ domain }) => domain),
    left,
  }
}

async function compareFiles(
  on: Websites,
  server: WebServer,
  sites: readonly Loaded[],
  overwrite: boolean,
): Promise<Compared> {
  const { nginx, users } = on
  const [writable, left]: [Writable[], RewrittenFiles['left']] = [[], []]
  const [versions, hasAccessConfig] = await Promise.all([on.php.versions(), nginx.hasAccessConfig()])
  for (const site of sites) {
    const { domain, username, settings } = site
    const { php_version: version } = settings
    if (site.type === 'php' && version !== null && !versions.includes(version)) {
      left.push({ domain, reason: `PHP ${version} is not installed` })
      continue
    }
    const model = served(on, site)
    const [lacking] = server.lacks(model)
    if (lacking !== undefined) {
      left.push({ domain, reason: lacking })
      continue
    }
    if (site.hasAccessRules && !hasAccessConfig) {
      left.push({ domain, reason: 'Its access rules need the scripting module of nginx: install it again' })
      continue
    }
    const content = server.renderSite(model)
    const state = await server.stateOf(domain, content)
    const account = await accountOf(users, username)
    const support = account === undefined ? [] : await missingSupport(on, site)
    if (state === 'as wanted' && support.length === 0) continue
    if (account === undefined)
      left.push({ domain, reason: `The Linux account ${username} does not exist on this host` })
    else if (state === 'edited by hand' && !overwrite)
      left.push({ domain, reason: 'Its file was edited by hand' })
    else writable.push({ domain, content, gid: account.gid, support })
  }
  return { writable, left }
}

/** The steps that write the pool, the users of protected folders and the authorities of the upstream, unless all of them are there and in effect. */
async function missingSupport(on: Websites, site: Loaded): Promise<readonly Step[]> {
  const { first: pool } = await poolSteps(on, undefined, site)
  const { first: passwords } = passwordSteps(on, site.id, [], site.protectedFolders)
  const { first: pages } = cacheSteps(on, undefined, site)
  const steps = [...pool, ...passwords, ...authoritySteps(on, undefined, site).first, ...pages]
  for (const { kind, args } of steps) {
    const before: unknown = await kind.observe(args)
    if ((await kind.check(args, before)) !== 'wanted') return steps
  }
  return []
}

interface Servers {
  readonly nginx: Nginx
  readonly server: WebServer
}

const stepsOf = (
  { nginx, server }: Servers,
  sites: readonly Writable[],
  overwrite: boolean,
): readonly Step[] => [
  step(nginx.steps.makeLogDirectories, { sites: sites.map(({ domain, gid }) => ({ domain, gid })) }),
  ...sites.flatMap(({ support }) => support),
  step(server.steps.writeSites, {
    sites: sites.map(({ domain, content }) => ({ domain, content })),
    overwrite,
  }),
]
