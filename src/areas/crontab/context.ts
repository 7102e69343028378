import { area } from '../../core/area.ts'
import type { CronTool } from '../../tools/cron/index.ts'
import type { Deps } from '../deps.ts'
import { readZone } from '../machine/index.ts'
import { type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type CrontabQueries, crontabQueries } from './store.ts'

/** The crontabs of websites, as the verbs of the area reach them. */
export interface Crontabs {
  readonly queries: CrontabQueries
  readonly websites: Websites
  readonly users: Users
  readonly cron: CronTool
  /** The name of the time zone of the host. */
  readonly timeZone: () => Promise<string>
}

/** Binds the area to the websites and cron. */
export function openCrontabs({ store, tools, use, host }: Deps): Crontabs {
  return {
    queries: crontabQueries(store),
    websites: use(websites).websites,
    users: use(users).users,
    cron: tools.cron,
    timeZone: () => readZone(host),
  }
}

export interface Context {
  readonly crontabs: Crontabs
}

export const { endpoint, work } = area.of<Context>()
