import { join } from 'node:path'
import { area } from '../../core/area.ts'
import type { PartsOf } from '../../core/point.ts'
import type { Accounts } from '../../host/accounts.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type UserQueries, userQueries } from './store.ts'

/** The panel users and their Linux accounts, as the verbs of the area reach them. */
export interface Users {
  readonly store: Store
  readonly queries: UserQueries
  /** The accounts of this host. */
  readonly accounts: Accounts
  readonly tools: Pick<Tools, 'accounts' | 'sudo'>
  readonly partsOf: PartsOf
  /** The folder of the archives of homes; undefined for a panel whose store is in memory. */
  readonly archives: string | undefined
}

/** Binds the area to its store and the host's accounts. */
export function openUsers({ store, host: { accounts }, tools, partsOf, settings }: Deps): Users {
  const archives = settings.dataDir && join(settings.dataDir, 'archives')
  return { store, queries: userQueries(store), accounts, tools, partsOf, archives }
}

export interface Context {
  readonly users: Users
}

export const { endpoint, work } = area.of<Context>()
