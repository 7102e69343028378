import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { type Certificates, certificates } from '../certificates/index.ts'
import { type Databases, databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { type Firewall, firewall } from '../firewall/index.ts'
import { type Homes, openHomes, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { scriptRunner } from './run-script.ts'
import { deliver } from './source.ts'
import { placeFiles } from './steps/place.ts'
import { setUpApplication } from './steps/set-up.ts'
import { type ApplicationQueries, applicationQueries } from './store.ts'

/** The applications of websites, as the verbs of the area reach them. */
export interface Applications {
  readonly queries: ApplicationQueries
  readonly websites: Websites
  readonly databases: Databases
  readonly certificates: Certificates
  readonly firewall: Firewall
  readonly php: Tools['phpPools']
  readonly mariadb: Tools['mariadb']
  readonly host: Pick<Host, 'run' | 'files' | 'fetch'>
  readonly ownerOf: Homes['ownerOf']
  readonly steps: {
    readonly placeFiles: ReturnType<typeof placeFiles>
    readonly setUp: ReturnType<typeof setUpApplication>
  }
}

/** Binds the area to its store, the websites and their databases. */
export function openApplications({ store, host, tools, use }: Deps): Applications {
  const { ownerOf, homeOf } = openHomes(host, use(users).users)
  const runScript = scriptRunner({
    files: host.files,
    ownerOf,
    homeOf,
    socketOf: async () => (await tools.mariadb.readEndpoint()).socketPath,
  })
  return {
    queries: applicationQueries(store),
    websites: use(websites).websites,
    databases: use(databases).databases,
    certificates: use(certificates).certificates,
    firewall: use(firewall).firewall,
    php: tools.phpPools,
    mariadb: tools.mariadb,
    host,
    ownerOf,
    steps: {
      placeFiles: placeFiles({ ownerOf, deliver: (source, signal) => deliver(host, source, signal) }),
      setUp: setUpApplication(runScript),
    },
  }
}

export interface Context {
  readonly applications: Applications
}

export const { endpoint, work } = area.of<Context>()
