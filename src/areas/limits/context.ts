import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Slices } from '../../tools/slices/index.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { type LimitQueries, limitQueries } from './store.ts'

/** The limits of hosting users, as the verbs of the area reach them. */
export interface Limits {
  readonly queries: LimitQueries
  readonly users: Users
  readonly websites: Websites
  readonly slices: Slices
  readonly owners: Host['owners']
}

/** Binds the area to the users, their websites and slices. */
export const openLimits = ({ store, host, tools: { slices }, use }: Deps): Limits => ({
  queries: limitQueries(store),
  users: use(users).users,
  websites: use(websites).websites,
  slices,
  owners: host.owners,
})

export interface Context {
  readonly limits: Limits
}

export const { endpoint, job } = area.of<Context>()
