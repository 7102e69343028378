import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import type { Owners } from '../../host/owner/index.ts'
import { type Filemanager, filemanager } from '../filemanager/index.ts'
import { type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { dumpStorage, type DumpStorage } from './storage.ts'
import { type Engines, openEngines } from './engines/index.ts'
import { type DatabaseQueries, databaseQueries } from './store.ts'

/** The databases of websites, as the verbs of the area reach them. */
export interface Databases {
  readonly queries: DatabaseQueries
  readonly websites: Websites
  readonly engines: Engines
  /** For what only this engine has: copies, and backups of websites. */
  readonly mariadb: Tools['mariadb']
  readonly users: Users
  readonly owners: Owners
  /** The steps that make a folder in a home and download into it. */
  readonly fileSteps: Pick<Filemanager['steps'], 'mkdir' | 'download'>
  /** Undefined if no area offers one. */
  readonly storage: () => DumpStorage | undefined
}

/** Binds the area to its store, the websites and the server. */
export function openDatabases({ store, tools, host, use, partsOf }: Deps): Databases {
  return {
    queries: databaseQueries(store),
    websites: use(websites).websites,
    engines: openEngines(tools),
    mariadb: tools.mariadb,
    users: use(users).users,
    owners: host.owners,
    fileSteps: use(filemanager).filemanager.steps,
    storage: () => partsOf(dumpStorage)[0],
  }
}

export interface Context {
  readonly databases: Databases
}

export const { endpoint, work } = area.of<Context>()
