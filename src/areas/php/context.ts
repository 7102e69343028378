import { area } from '../../core/area.ts'
import type { PhpPools } from '../../tools/php/pools.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type PhpQueries, phpQueries } from './store.ts'

/** The versions of PHP on this host, as the verbs of the area reach them. */
export interface PhpArea {
  readonly queries: PhpQueries
  readonly tool: PhpPools
  readonly programSteps: Deps['tools']['programSteps']
  readonly packages: Deps['host']['packages']
  readonly services: Deps['host']['services']
  readonly websites: Websites
}

/** Binds the area to PHP, its packages and the websites. */
export const openPhpArea = ({ store, host, tools: { phpPools, programSteps }, use }: Deps): PhpArea => ({
  queries: phpQueries(store),
  tool: phpPools,
  programSteps,
  packages: host.packages,
  services: host.services,
  websites: use(websites).websites,
})

export interface Context {
  readonly php: PhpArea
}

export const { endpoint, work } = area.of<Context>()
