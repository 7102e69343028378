import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { PhpPools } from '../../tools/php/pools.ts'
import type { Deps } from '../deps.ts'
import { type Licence, licence } from '../licence/index.ts'
import { type Users, users } from '../users/index.ts'
import { type WebServers, webserver } from '../webserver/index.ts'
import { type SiteFolders, siteFolders } from './folders.ts'
import { type WebsiteQueries, websiteQueries } from './store.ts'

/** The websites of this host, as the verbs of the area reach them. */
export interface Websites {
  readonly queries: WebsiteQueries
  readonly users: Users
  readonly licence: Licence
  /** Certificates, passwords and logs, whichever web server serves. */
  readonly nginx: Nginx
  /** The web server that serves websites: it renders their files. */
  readonly serving: WebServers['serving']
  readonly php: PhpPools
  readonly folders: SiteFolders
  readonly machine: Pick<Host['machine'], 'names'>
  readonly addresses: Host['addresses']
  readonly trustedNow: Store['trustedNow']
  readonly partsOf: Deps['partsOf']
}

/** Binds the area to its store, the users, nginx and the owners' folders. */
export function openWebsites({ store, host, tools: { nginx, phpPools }, use, partsOf }: Deps): Websites {
  const own = use(users).users
  const folders = siteFolders(host, own)
  return {
    queries: websiteQueries(store),
    users: own,
    licence: use(licence).licence,
    nginx,
    serving: use(webserver).webserver.serving,
    php: phpPools,
    folders,
    machine: host.machine,
    addresses: host.addresses,
    trustedNow: store.trustedNow,
    partsOf,
  }
}

export interface Context {
  readonly websites: Websites
}

export const { endpoint, job, work } = area.of<Context>()
