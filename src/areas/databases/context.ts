import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type DatabaseQueries, databaseQueries } from './store.ts'

/** The databases of websites, as the verbs of the area reach them. */
export interface Databases {
  readonly queries: DatabaseQueries
  readonly websites: Websites
  readonly mariadb: Tools['mariadb']
}

/** Binds the area to its store, the websites and the server. */
export function openDatabases({ store, tools, use }: Deps): Databases {
  return { queries: databaseQueries(store), websites: use(websites).websites, mariadb: tools.mariadb }
}

export interface Context {
  readonly databases: Databases
}

export const { endpoint, work } = area.of<Context>()
