import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { fetchSitePage } from '../../tools/site-client.ts'
import { type Databases, databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { type Backups, sitebackups } from '../sitebackups/index.ts'
import { type Homes, openHomes, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { openReplacing } from './scripts/run.ts'
import { checkSite, type VisitSite } from './steps/check-site.ts'
import { clearFormer } from './steps/clear.ts'
import { prepareWordpress } from './steps/prepare-wordpress.ts'
import { replaceAddresses } from './steps/replace-addresses.ts'
import { swapFiles } from './steps/swap-files.ts'
import { type StagingQueries, stagingQueries } from './store.ts'

/** The staging copies of websites, as the verbs of the area reach them. */
export interface Staging {
  readonly queries: StagingQueries
  readonly websites: Websites
  readonly databases: Databases
  readonly backups: Backups
  readonly mariadb: Tools['mariadb']
  readonly nginx: Tools['nginx']
  readonly ownerOf: Homes['ownerOf']
  readonly visit: VisitSite
  readonly steps: ReturnType<typeof stepsOf>
}

/** Binds the area to its store, the websites, their databases and backups. */
export function openStaging({ store, host, tools, use }: Deps): Staging {
  const { ownerOf } = openHomes(host, use(users).users)
  const run = openReplacing({
    files: host.files,
    ownerOf,
    socketOf: async () => (await tools.mariadb.readEndpoint()).socketPath,
  })
  return {
    queries: stagingQueries(store),
    websites: use(websites).websites,
    databases: use(databases).databases,
    backups: use(sitebackups).backups,
    mariadb: tools.mariadb,
    nginx: tools.nginx,
    ownerOf,
    visit,
    steps: stepsOf(ownerOf, run),
  }
}

const stepsOf = (ownerOf: Staging['ownerOf'], run: ReturnType<typeof openReplacing>) => ({
  prepareWordpress: prepareWordpress(ownerOf),
  replaceAddresses: replaceAddresses(run),
  swapFiles: swapFiles(ownerOf),
  checkSite: checkSite(visit),
  clear: clearFormer(ownerOf),
})

const visitMs = 20_000

/** WordPress offers its installation to anybody where it finds no tables of its own: that is no answer of the website. */
const visit: VisitSite = async ({ domain, isTls }) => {
  const page = await fetchSitePage({ name: domain, isTls, path: '/' }, AbortSignal.timeout(visitMs))
  if (page === undefined) return undefined
  const isInstaller = page.location?.includes('/wp-admin/install.php') ?? false
  return isInstaller ? `${page.status} with the installation of WordPress` : String(page.status)
}

export interface Context {
  readonly staging: Staging
}

export const { endpoint, work } = area.of<Context>()
