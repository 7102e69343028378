import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { Users } from '../users/index.ts'
import type { Rewritten } from './model.ts'
import type { WebsiteQueries } from './store.ts'
import { type Loaded, locksOf, served } from './websites.ts'

interface Parts {
  readonly queries: WebsiteQueries
  readonly users: Users
  readonly nginx: Nginx
}

interface Writable {
  readonly domain: string
  readonly content: string
  readonly gid: number
}

interface Looked {
  readonly writable: readonly Writable[]
  readonly left: Rewritten['left']
}

/**
 * Plans to write the files of all websites that differ from the store, as after nginx was purged and
 * reinstalled.
 */
export function rewriteVerb({ queries, users, nginx }: Parts) {
  const lookAt = async (sites: readonly Loaded[], overwrite: boolean): Promise<Looked> => {
    const [writable, left]: [Writable[], Rewritten['left']] = [[], []]
    for (const site of sites) {
      const { domain, username } = site
      const content = nginx.renderSite(served(site))
      const state = await nginx.stateOf(domain, content)
      if (state === 'as wanted') continue
      const account = await users.accountOf(username)
      if (account === undefined)
        left.push({ domain, reason: `The Linux account ${username} does not exist on this host` })
      else if (state === 'edited by hand' && !overwrite)
        left.push({ domain, reason: 'Its file was edited by hand' })
      else writable.push({ domain, content, gid: account.gid })
    }
    return { writable, left }
  }
  return async (overwrite: boolean): Promise<Change<Rewritten>> => {
    const sites = await queries.all()
    const { writable, left } = await lookAt(sites, overwrite)
    if (writable.length > 0) await nginx.tool.assertAvailable()
    return change({
      summary: `Write the files of ${writable.length} of ${sites.length} websites again`,
      locks: locksOf(sites.flatMap(({ domain, aliases }) => [domain, ...aliases])),
      steps: writable.length > 0 ? stepsOf(nginx, writable, overwrite) : [],
      reply: { written: writable.map(({ domain }) => domain), left },
    })
  }
}

const stepsOf = (nginx: Nginx, sites: readonly Writable[], overwrite: boolean): readonly Step[] => [
  step(nginx.steps.makeLogDirectories, { sites: sites.map(({ domain, gid }) => ({ domain, gid })) }),
  step(nginx.steps.writeSites, {
    sites: sites.map(({ domain, content }) => ({ domain, content })),
    overwrite,
  }),
]
