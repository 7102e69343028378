import { area } from '../../core/area.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type TrafficQueries, trafficQueries } from './store.ts'

/** The traffic of websites, as the verbs of the area reach it. */
export interface Traffic {
  readonly queries: TrafficQueries
  readonly websites: Websites
  readonly nginx: Nginx
  readonly log: Log
}

/** Binds the area to the websites and their logs. */
export const openTraffic = ({ store, tools: { nginx }, use, log }: Deps): Traffic => ({
  queries: trafficQueries(store),
  websites: use(websites).websites,
  nginx,
  log,
})

export interface Context {
  readonly traffic: Traffic
}

export const { endpoint } = area.of<Context>()
