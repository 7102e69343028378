import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'

/** The DNS server of this host, as the verbs of the area reach it. */
export interface Authdns {
  readonly store: Store
  readonly tool: Tools['powerdns']
  readonly mariadb: Tools['mariadb']
  readonly programSteps: Tools['programSteps']
}

/** Binds the area to PowerDNS and the server of its database. */
export const openAuthdns = ({ store, tools: { powerdns, mariadb, programSteps } }: Deps): Authdns => ({
  store,
  tool: powerdns,
  mariadb,
  programSteps,
})

export interface Context {
  readonly authdns: Authdns
}

export const { endpoint, work } = area.of<Context>()
